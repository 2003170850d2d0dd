//! What a run says: findings, failures, the ledger, the summary, each to its stream.
//!
//! Called from one thread, in the order of the files, so that no output depends on the number of threads.

use super::args::{Findings, Format};
use super::progress::Progress;
use super::summary;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use tranship::diagnostics::render::Failure;
use tranship::diagnostics::{github::Github, human::Human, json::Json, sarif::Sarif, short::Short};
use tranship::diagnostics::{Render, Severity, Tally};
use tranship::source::write::Pending;
use tranship::source::SourceError;

/// Where findings go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

/// The sayings of one run.
pub struct Report {
    pub progress: Progress,
    pub tally: Tally,
    render: Arc<dyn Render + Send>,
    stream: Stream,
    format: Format,
    quiet: bool,
    fail_on: Option<Severity>,
    failures: Vec<Failure>,
    ledger: Option<Pending>,
    /// Whether findings, and ledger lines, were written already: a separator goes before the next.
    some_findings: bool,
    some_names: bool,
}

impl Report {
    /// `people` is the stream for people's formats; `out_taken`: standard output holds a translation or a diff, so
    /// findings of every format go to standard error.
    pub fn new(args: &Findings, targets: Vec<&'static str>, people: Stream, out_taken: bool) -> anyhow::Result<Self> {
        let stream = match args.output_format {
            _ if out_taken => Stream::Err,
            format if format.is_machine() => Stream::Out,
            _ => people,
        };
        let color = match stream {
            Stream::Out => super::colored(args.color, &io::stdout()),
            Stream::Err => super::colored(args.color, &io::stderr()),
        };
        let render: Arc<dyn Render + Send> = match args.output_format {
            Format::Human => Arc::new(Human { color, all: args.all }),
            Format::Short => Arc::new(Short),
            Format::Json => Arc::new(Json { targets }),
            Format::Sarif => Arc::new(Sarif),
            Format::Github => Arc::new(Github),
        };
        let mut ledger = None;
        if let Some(path) = &args.ledger {
            let mut file = Pending::open(path, None)?;
            file.add(b"{\"schema\":1,\"names\":[\n")?;
            ledger = Some(file);
        }
        let report = Report {
            progress: Progress::new(!args.quiet && !args.output_format.is_machine()),
            tally: Tally::default(),
            render,
            stream,
            format: args.output_format,
            quiet: args.quiet,
            fail_on: args.fail_on.severity(),
            failures: Vec::new(),
            ledger,
            some_findings: false,
            some_names: false,
        };
        let begin = report.render.begin();
        report.say(&begin)?;
        Ok(report)
    }

    /// The renderer, for the threads that render.
    pub fn render(&self) -> Arc<dyn Render + Send> {
        self.render.clone()
    }

    pub fn wants_ledger(&self) -> bool {
        self.ledger.is_some()
    }

    /// Whether lines for people may go to standard output.
    pub fn for_people(&self) -> bool {
        !self.quiet && !self.format.is_machine()
    }

    /// One file's rendered findings.
    pub fn findings(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        if std::mem::replace(&mut self.some_findings, true) {
            self.say(self.render.separator().as_bytes())?;
        }
        self.say(bytes)
    }

    /// One file's ledger lines, joined by commas.
    pub fn names(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        if let (Some(ledger), false) = (&mut self.ledger, lines.is_empty()) {
            if std::mem::replace(&mut self.some_names, true) {
                ledger.add(b",\n")?;
            }
            ledger.add(lines)?;
        }
        Ok(())
    }

    /// The result of a command, on standard output.
    pub fn out(&self, bytes: &[u8]) -> anyhow::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let write = || {
            let mut out = io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        };
        self.progress.aside(write).map_err(|e| match e.kind() {
            io::ErrorKind::BrokenPipe => e.into(),
            _ => anyhow::anyhow!("cannot write standard output: {e}"),
        })
    }

    /// A file that could not be read or written.
    pub fn failure(&mut self, error: &SourceError) -> anyhow::Result<()> {
        self.fault(error.path(), error.to_string())
    }

    /// Something about a file that went wrong.
    pub fn fault(&mut self, path: &Path, message: String) -> anyhow::Result<()> {
        self.line(&format!("error: {message}"));
        let failure = Failure {
            path: path.to_string_lossy().into_owned(),
            message,
        };
        let bytes = self.render.failure(&failure);
        self.say(&bytes)?;
        self.failures.push(failure);
        self.tally.failed += 1;
        Ok(())
    }

    /// Something that was left out, and why.
    pub fn warning(&self, text: &str) {
        self.line(&format!("warning: {text}"));
    }

    /// A line for people about what to do; not said to programs.
    pub fn note(&self, text: &str) {
        if self.for_people() {
            self.line(text);
        }
    }

    /// Ends the run: summary and exit code. `changes`: files that would change make the exit code 1.
    pub fn finish(mut self, changes: bool, next: &summary::Next) -> anyhow::Result<u8> {
        self.progress.end();
        if let Some(mut ledger) = self.ledger.take() {
            ledger.add(b"\n]}\n")?;
            ledger.commit()?;
        }
        let end = self.render.end(&self.tally, &self.failures);
        self.say(&end)?;
        self.note(summary::text(&self.tally, next).trim_end());
        let found = self.fail_on.is_some_and(|s| self.tally.at_least(s) > 0);
        Ok(match () {
            _ if !self.failures.is_empty() => 2,
            _ if found || (changes && self.tally.changed > 0) => 1,
            _ => 0,
        })
    }

    fn say(&self, bytes: &[u8]) -> anyhow::Result<()> {
        match self.stream {
            Stream::Out => self.out(bytes),
            Stream::Err => {
                let _ = self.progress.aside(|| io::stderr().write_all(bytes));
                Ok(())
            }
        }
    }

    /// Standard error is the last resort: if it fails there is nobody left to tell.
    fn line(&self, text: &str) {
        let _ = self.progress.aside(|| writeln!(io::stderr(), "{text}"));
    }
}
