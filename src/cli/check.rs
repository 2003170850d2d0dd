//! `tranship check`: the findings of a translation, and the fixes that they suggest. Nothing is translated.

use super::args::{Files, Findings, Steering};
use super::control::{baseline_target, Control};
use super::engine::Task;
use super::report::{Report, Stream};
use super::sink::{Diff, Fixes, InPlace, Nothing, Sink};
use super::summary::Next;
use super::{engine, translate};
use anyhow::bail;
use clap::Args;
use std::path::PathBuf;
use tranship::diagnostics::{baseline, Applicability};
use tranship::source::discover::{discover, Walk};
use tranship::source::write;

#[derive(Args)]
#[command(after_help = super::EXIT_CODES)]
pub struct Check {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Apply the suggested fixes that are safe, and report what is left
    #[arg(long, help_heading = "Fixes")]
    fix: bool,
    /// With --fix or --diff: also fixes that a person should look at
    #[arg(long, help_heading = "Fixes")]
    unsafe_fixes: bool,
    /// Print what --fix would change as a unified diff; write nothing, exit 1 if there is something
    #[arg(long, help_heading = "Fixes")]
    diff: bool,
    /// List all findings in the baseline, so that only new ones count from then on
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true,
          conflicts_with_all = ["fix", "diff"], help_heading = "Control")]
    write_baseline: Option<Option<PathBuf>>,
    #[command(flatten)]
    steering: Steering,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    findings: Findings,
    #[command(flatten)]
    control: Control,
}

impl Check {
    pub fn run(&self) -> anyhow::Result<u8> {
        let stdin = translate::is_stdin(&self.paths)?;
        if self.unsafe_fixes && !self.fix && !self.diff {
            bail!("--unsafe-fixes goes with --fix, which applies them, or --diff, which shows them");
        }
        if stdin && self.fix && !self.diff {
            bail!("standard input cannot be fixed in place: use --diff");
        }
        let config = self.control.config(&self.paths)?;
        let in_use = || self.control.baseline_path(&config);
        let given = self.write_baseline.as_ref();
        let new_baseline = given.map(|path| baseline_target(path.as_deref(), in_use()));
        let judge = self.control.judge(&config, new_baseline.as_deref())?;
        let options = self.steering.options(&config, true);
        let selection = self.files.selection(&config)?;
        let targets = options.targets.iter().map(|t| t.name).collect();
        let mut report = Report::new(&self.findings, &config, targets, Stream::Out, self.diff)?;
        if new_baseline.is_some() {
            report.forgive();
        }
        let threads = self.files.threads();
        let (mut inputs, root) = if stdin {
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
        let task = Task {
            project: &project,
            options: &options,
            root: &root,
            judge: &judge,
            sink: &*self.sink(),
        };
        engine::translate_all(&inputs, &task, threads, &mut report)?;
        if let Some(path) = &new_baseline {
            let mut entries = report.baseline();
            entries.sort();
            let count: usize = entries.iter().map(|e| e.count).sum();
            write::write(path, &baseline::text(&entries), None)?;
            report.note(&format!("{count} findings written to {}", path.display()));
        }
        let next = if self.fix || self.diff {
            Next::None
        } else {
            Next::Translate
        };
        report.finish(self.diff, &next)
    }

    fn sink(&self) -> Box<dyn Sink> {
        let least = if self.unsafe_fixes {
            Applicability::Unsafe
        } else {
            Applicability::Safe
        };
        match () {
            _ if self.diff => Box::new(Fixes { least, to: Diff }),
            _ if self.fix => Box::new(Fixes {
                least,
                to: InPlace { backup: false },
            }),
            _ => Box::new(Nothing),
        }
    }
}
