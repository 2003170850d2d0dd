//! `tranship check`: the findings of a translation, with nothing written.

use super::args::{Files, Findings, Steering};
use super::report::{Report, Stream};
use super::summary::Next;
use super::{engine, sink, translate};
use clap::Args;
use std::path::PathBuf;
use tranship::source::discover::{discover, Walk};

#[derive(Args)]
#[command(after_help = super::EXIT_CODES)]
pub struct Check {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    steering: Steering,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    findings: Findings,
}

impl Check {
    pub fn run(&self) -> anyhow::Result<u8> {
        let options = self.steering.options(true);
        let selection = self.files.selection()?;
        let targets = options.targets.iter().map(|t| t.name).collect();
        let mut report = Report::new(&self.findings, targets, Stream::Out, false)?;
        let threads = self.files.threads();
        let (mut inputs, root) = if translate::is_stdin(&self.paths)? {
            (vec![translate::stdin_input()?], PathBuf::new())
        } else {
            let walk = Walk {
                selection: &selection,
                follow_links: false,
                skip: None,
                git_root: true,
            };
            let found = discover(&self.paths, &walk);
            (engine::inputs(&found, &mut report)?, found.root)
        };
        let single = translate::single(&self.paths);
        let project = engine::gather(&mut inputs, &root, &single, threads, &mut report)?;
        engine::translate_all(&inputs, &project, &options, &sink::Nothing, threads, &mut report)?;
        report.finish(false, &Next::Translate)
    }
}
