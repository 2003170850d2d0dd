//! `tranship compat`: a header that lets untouched CUDA sources build for AMD.

use super::args::{Files, Findings, Steering};
use super::control::Control;
use super::parallel::{caught, ordered};
use super::report::{Report, Stream};
use super::{engine, shims, summary, translate};
use anyhow::Context;
use clap::Args;
use std::path::PathBuf;
use tranship::compat::{self, Wants};
use tranship::diagnostics::{FileFindings, Tally};
use tranship::source::discover::{discover, Walk};
use tranship::source::{kind, write, LineIndex, SourceError};

#[derive(Args)]
#[command(after_help = super::EXIT_CODES)]
pub struct Compat {
    /// Files and folders; they are read, not changed
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// The folder that gets tranship/compat.hpp and a header in the place of each of CUDA's
    #[arg(short, long, value_name = "OUTDIR")]
    output: PathBuf,
    #[command(flatten)]
    steering: Steering,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    findings: Findings,
    #[command(flatten)]
    control: Control,
}

impl Compat {
    pub fn run(&self) -> anyhow::Result<u8> {
        let config = self.control.config(&self.paths)?;
        let judge = self.control.judge(&config, None)?;
        let options = self.steering.options(&config, true);
        let selection = self.files.selection(&config)?;
        let targets = options.targets.iter().map(|t| t.name).collect();
        let mut report = Report::new(&self.findings, &config, targets, Stream::Out, false)?;
        let threads = self.files.threads();
        let walk = Walk {
            selection: &selection,
            follow_links: false,
            skip: std::fs::canonicalize(&self.output).ok(),
            git_root: false,
        };
        let found = discover(&self.paths, &walk);
        let mut inputs = engine::inputs(&found, &mut report)?;
        let single = translate::single(&self.paths);
        let project = engine::gather(&mut inputs, &found.root, &single, threads, &mut report)?;
        let chosen: Vec<&engine::Input> = inputs.iter().filter(|i| i.is_cuda()).collect();
        let mut wants = Vec::with_capacity(chosen.len());
        let work = |input: &&engine::Input| -> Result<Wants, SourceError> {
            let bytes = input.read()?;
            let done = tranship::translate(&input.relative, &bytes, &project, &options);
            Ok(Wants::of(&bytes, done))
        };
        ordered(&chosen, threads, work, |input, result| -> anyhow::Result<()> {
            match result {
                Ok(Ok(w)) => {
                    wants.push(w);
                    return Ok(());
                }
                Ok(Err(error)) => report.failure(&error)?,
                Err(panic) => report.fault(&input.path, format!("internal error: {panic} (please report this)"))?,
            }
            wants.push(Wants::default());
            Ok(())
        })?;
        let mut made = compat::header(&wants, &options);
        let render = report.render();
        for (input, findings) in chosen.iter().zip(&mut made.findings) {
            let bytes = input.read()?;
            let lines = LineIndex::new(&bytes);
            let verdict = judge.judge(&found.root.join(&input.relative), &bytes, &lines, findings);
            let mut tally = Tally::of(findings, &[]);
            tally.files = 1;
            tally.in_baseline = verdict.known;
            report.tally.add(tally);
            report.known(verdict);
            if findings.is_empty() {
                continue;
            }
            let file = FileFindings {
                path: &input.shown,
                bytes: &bytes,
                lines: &lines,
                diagnostics: findings,
            };
            if let Ok(blocks) = caught(|| render.blocks(&file)) {
                report.findings(blocks)?;
            }
        }
        self.write(&made, &mut report)?;
        report.finish(false, &summary::Next::None)
    }

    fn write(&self, made: &compat::Compat, report: &mut Report) -> anyhow::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        for (path, text) in &made.files {
            let path = self.output.join(path);
            if std::fs::read(&path).is_ok_and(|old| !kind::is_generated(&old)) {
                report.failure(&SourceError::NotGenerated { path })?;
                continue;
            }
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            }
            let text = format!("{}{version}; regenerate with: tranship compat\n{text}", kind::GENERATED);
            if let Err(error) = write::write(&path, text.as_bytes(), None) {
                report.failure(&error)?;
            }
        }
        for (_, result) in shims::emit(&made.shims, &self.output) {
            if let Err(error) = result {
                report.failure(&error)?;
            }
        }
        let out = self.output.display();
        report.note(&format!(
            "compile the untouched sources with: hipcc -x hip -I {out} -include {out}/tranship/compat.hpp"
        ));
        Ok(())
    }
}
