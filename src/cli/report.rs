//! What a run says: findings, failures, the ledger, the summary, each to its stream.
//!
//! Called from one thread, in the order of the files, so that no output depends on the number of threads.

use super::args::{Findings, Format};
use super::control::Verdict;
use super::progress::Progress;
use super::summary;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use tranship::config::Config;
use tranship::diagnostics::baseline;
use tranship::diagnostics::render::{Block, Cause, CauseKey, Failure};
use tranship::diagnostics::{github::Github, gitlab::Gitlab, human::Human, json::Json};
use tranship::diagnostics::{junit::Junit, sarif::Sarif, short::Short};
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
    statistics: bool,
    /// Findings are counted, not shown.
    mute: bool,
    /// Findings that the baseline lists and that are no more.
    gone: usize,
    /// What a new baseline holds.
    baseline: Vec<baseline::Entry>,
    failures: Vec<Failure>,
    ledger: Option<Pending>,
    /// Show every finding.
    all: bool,
    causes: Causes,
    /// Whether findings, and ledger lines, were written already: a separator goes before the next.
    some_findings: bool,
    some_names: bool,
}

/// What was found, each cause once.
#[derive(Default)]
struct Causes {
    /// In the order of the first of each; with it the others.
    blocks: Vec<(Block, Vec<Cause>)>,
    index: HashMap<CauseKey, usize>,
    /// Codes whose page was named already.
    explained: HashSet<&'static str>,
}

impl Causes {
    fn add(&mut self, block: Block) {
        let Some(cause) = &block.cause else { return };
        match self.index.entry(cause.key.clone()) {
            Entry::Occupied(at) => self.blocks[*at.get()].1.extend(block.cause),
            Entry::Vacant(at) => {
                at.insert(self.blocks.len());
                self.blocks.push((block, Vec::new()));
            }
        }
    }

    fn is_first(&mut self, code: &'static str) -> bool {
        self.explained.insert(code)
    }
}

impl Report {
    /// `people` is the stream for people's formats; `out_taken`: standard output holds a translation or a diff, so
    /// findings of every format go to standard error.
    pub fn new(
        args: &Findings,
        config: &Config,
        targets: Vec<&'static str>,
        people: Stream,
        out_taken: bool,
    ) -> anyhow::Result<Self> {
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
            Format::Sarif => {
                let here = std::env::current_dir().unwrap_or_default();
                Arc::new(Sarif {
                    base: here.to_string_lossy().into_owned(),
                })
            }
            Format::Github => Arc::new(Github),
            Format::Gitlab => Arc::new(Gitlab),
            Format::Junit => Arc::new(Junit),
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
            fail_on: args.fails_on(config),
            statistics: args.statistics,
            mute: args.statistics,
            gone: 0,
            baseline: Vec::new(),
            failures: Vec::new(),
            ledger,
            all: args.all,
            causes: Causes::default(),
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
    pub fn findings(&mut self, blocks: Vec<Block>) -> anyhow::Result<()> {
        for block in blocks {
            if block.text.is_empty() || self.mute {
                continue;
            }
            match &block.cause {
                // Shown when the run ends: only then it is known where else the cause is.
                Some(_) if !self.all => self.causes.add(block),
                Some(cause) => {
                    let first = self.causes.is_first(cause.code.code);
                    let text = self.render.complete(block, &[], first);
                    self.say(&text)?;
                }
                None => {
                    if std::mem::replace(&mut self.some_findings, true) {
                        self.say(self.render.separator().as_bytes())?;
                    }
                    self.say(&block.text)?;
                }
            }
        }
        Ok(())
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

    /// What the baseline said to one file.
    pub fn known(&mut self, verdict: Verdict) {
        self.gone += verdict.gone;
        self.baseline.extend(verdict.entries);
    }

    /// The entries of a new baseline, of all files.
    pub fn baseline(&mut self) -> Vec<baseline::Entry> {
        std::mem::take(&mut self.baseline)
    }

    /// Findings of this run are not shown and do not fail it: they go to a baseline.
    pub fn forgive(&mut self) {
        self.fail_on = None;
        self.mute = true;
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
        for (block, others) in std::mem::take(&mut self.causes.blocks) {
            let first = block.cause.as_ref().is_some_and(|c| self.causes.is_first(c.code.code));
            let text = self.render.complete(block, &others, first);
            self.say(&text)?;
        }
        let end = self.render.end(&self.tally, &self.failures);
        self.say(&end)?;
        if self.statistics && self.for_people() {
            self.out(summary::statistics(&self.tally).as_bytes())?;
        }
        self.note(summary::text(&self.tally, next).trim_end());
        if self.gone > 0 {
            let gone = self.gone;
            self.note(&format!(
                "{gone} findings of the baseline are no more: check --write-baseline takes them out of it"
            ));
        }
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

    /// A line on standard error, the last resort: if it fails there is nobody left to tell.
    pub fn line(&self, text: &str) {
        let _ = self.progress.aside(|| writeln!(io::stderr(), "{text}"));
    }
}
