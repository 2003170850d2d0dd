//! Two passes over the files of a run: facts of the whole program, then translation.
//!
//! Texts are read again for the second pass instead of being kept. Both passes run in parallel and report in order.

use super::control::{Judge, Verdict};
use super::parallel::{caught, ordered};
use super::report::Report;
use super::sink::{Put, Sink};
use anyhow::Result;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use tranship::diagnostics::render::Block;
use tranship::diagnostics::{FileFindings, Render, Tally};
use tranship::ledger::Occurrence;
use tranship::model::FileFacts;
use tranship::source::discover::{self, Discovery};
use tranship::source::{includes, kind, LineIndex, SourceError};
use tranship::{fix, translate, Diagnostic, Options, Project, Translation};

/// Fixes may bring findings with fixes of their own; so often a file is looked at again.
const ROUNDS: usize = 10;

/// One file of a run.
pub struct Input {
    /// Where to read it.
    pub path: PathBuf,
    /// How it is shown.
    pub shown: String,
    /// Its path under the root; names it in the project.
    pub relative: PathBuf,
    /// It is chosen for translation.
    pub translate: bool,
    /// Its contents, where they can be read only once (standard input, a pipe).
    pub bytes: Option<Vec<u8>>,
    state: State,
}

/// What the first pass learned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Cuda,
    Plain,
    Unreadable,
}

impl Input {
    pub fn new(path: PathBuf, relative: PathBuf, translate: bool) -> Self {
        Input {
            shown: path.display().to_string(),
            path,
            relative,
            translate,
            bytes: None,
            state: State::Plain,
        }
    }

    /// Standard input, read.
    pub fn stdin(bytes: Vec<u8>) -> Self {
        let mut input = Input::new(PathBuf::from("-"), PathBuf::from("stdin.cu"), true);
        input.shown = "<stdin>".to_string();
        input.bytes = Some(bytes);
        input
    }

    /// Its contents.
    pub fn read(&self) -> Result<Cow<'_, [u8]>, SourceError> {
        match &self.bytes {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => std::fs::read(&self.path)
                .map(Cow::Owned)
                .map_err(|error| SourceError::Read {
                    path: self.path.clone(),
                    error,
                }),
        }
    }

    /// Whether the second pass translates it.
    pub fn is_cuda(&self) -> bool {
        self.state == State::Cuda
    }
}

/// The files that a walk found. One that is no regular file is read now: it can be read only once.
pub fn inputs(found: &Discovery, report: &mut Report) -> Result<Vec<Input>> {
    for error in &found.errors {
        report.failure(error)?;
    }
    for warning in &found.warnings {
        report.warning(warning);
    }
    let mut inputs = Vec::with_capacity(found.files.len());
    for file in &found.files {
        let mut input = Input::new(file.path.clone(), file.relative.clone(), file.translate);
        if tranship::source::write::is_device(&file.path) {
            match input.read() {
                Ok(bytes) => input.bytes = Some(bytes.into_owned()),
                Err(error) => {
                    report.failure(&error)?;
                    continue;
                }
            }
        }
        inputs.push(input);
    }
    Ok(inputs)
}

/// The first pass: the facts of every file that is translated, and of the headers that the files named one by one
/// (`single`) include from beside them.
pub fn gather(
    inputs: &mut [Input],
    root: &Path,
    single: &[PathBuf],
    threads: usize,
    report: &mut Report,
) -> Result<Project> {
    let mut project = Project::default();
    let chosen: Vec<usize> = (0..inputs.len()).filter(|i| inputs[*i].translate).collect();
    let mut states = Vec::with_capacity(chosen.len());
    report.progress.pass("reading", chosen.len());
    let work = |i: &usize| -> Result<FileFacts, SourceError> {
        let bytes = inputs[*i].read()?;
        // What tranship wrote needs no translation.
        if kind::is_generated(&bytes) {
            return Ok(FileFacts::default());
        }
        Ok(FileFacts::gather(&inputs[*i].relative, &bytes))
    };
    ordered(&chosen, threads, work, |i, result| -> Result<()> {
        let input = &inputs[*i];
        let state = match result {
            Ok(Ok(facts)) => {
                let state = if facts.cuda { State::Cuda } else { State::Plain };
                project.add(&input.relative, facts);
                state
            }
            Ok(Err(error)) => {
                report.failure(&error)?;
                State::Unreadable
            }
            Err(panic) => {
                report.fault(&input.path, crash(&input.shown, &panic))?;
                State::Unreadable
            }
        };
        states.push((*i, state));
        report.progress.step();
        Ok(())
    })?;
    for (i, state) in states {
        inputs[i].state = state;
    }
    let known: HashSet<&Path> = inputs.iter().map(|i| i.relative.as_path()).collect();
    let read = |path: &Path| std::fs::read(path).ok();
    includes::follow(single, read, includes::quoted, |path, bytes| {
        let Ok(at) = discover::anchor(path) else { return };
        let relative = relative_to(root, &at);
        if !known.contains(relative.as_path()) && !kind::is_generated(bytes) {
            let facts = caught(|| FileFacts::gather(&relative, bytes));
            project.add(&relative, facts.unwrap_or_default());
        }
    });
    Ok(project)
}

/// The path that leads from a folder to a file, both absolute.
pub fn relative_to(root: &Path, at: &Path) -> PathBuf {
    let mut up = PathBuf::new();
    for ancestor in root.ancestors() {
        if let Ok(rest) = at.strip_prefix(ancestor) {
            return up.join(rest);
        }
        up.push("..");
    }
    at.to_path_buf()
}

fn crash(shown: &str, panic: &str) -> String {
    format!("internal error on {shown}, which is left alone: {panic} (please report this)")
}

/// What one file came to.
struct Done {
    put: Put,
    findings: Vec<Block>,
    names: Vec<u8>,
    tally: Tally,
    verdict: Verdict,
    shims: BTreeSet<&'static str>,
    failure: Option<SourceError>,
}

/// What the second pass does with each file.
pub struct Task<'a> {
    pub project: &'a Project,
    pub options: &'a Options,
    /// The folder that relative paths start from, absolute.
    pub root: &'a Path,
    pub judge: &'a Judge,
    pub sink: &'a dyn Sink,
}

/// The second pass: translates, hands results to the sink, reports. Returns the shim units that were asked for.
pub fn translate_all(
    inputs: &[Input],
    task: &Task,
    threads: usize,
    report: &mut Report,
) -> Result<BTreeSet<&'static str>> {
    let mut shims = BTreeSet::new();
    report.progress.pass("translating", inputs.len());
    let ledger = report.wants_ledger();
    let render = report.render();
    let work = |input: &Input| one(input, task, render.as_ref(), ledger);
    ordered(inputs, threads, work, |input, result| -> Result<()> {
        report.progress.step();
        match result {
            Ok(mut done) => {
                report.findings(done.findings)?;
                report.out(&done.put.out)?;
                report.names(&done.names)?;
                report.tally.add(done.tally);
                report.known(done.verdict);
                shims.append(&mut done.shims);
                if let Some(error) = done.failure {
                    report.failure(&error)?;
                }
            }
            Err(panic) => report.fault(&input.path, crash(&input.shown, &panic))?,
        }
        Ok(())
    })?;
    Ok(shims)
}

fn one(input: &Input, task: &Task, render: &dyn Render, ledger: bool) -> Done {
    let sink = task.sink;
    let mut done = Done {
        put: Put::default(),
        findings: Vec::new(),
        names: Vec::new(),
        tally: Tally::default(),
        verdict: Verdict::default(),
        shims: BTreeSet::new(),
        failure: None,
    };
    let put = match input.state {
        State::Unreadable => return done,
        State::Plain => sink.copy(input),
        State::Cuda => input.read().and_then(|bytes| {
            let seen = judged(input, &bytes, task);
            let Translation {
                diagnostics,
                ledger: names,
                shims,
                ..
            } = seen.translation;
            let new = seen.text.filter(|t| t[..] != bytes[..]);
            done.tally = Tally::of(&diagnostics, &names);
            let put = sink.put(input, &bytes, new.as_deref())?;
            done.tally.changed = usize::from(new.is_some());
            done.tally.fixed = seen.fixed;
            done.tally.in_baseline = seen.verdict.known;
            done.verdict = seen.verdict;
            done.shims = shims;
            // After fixes, findings stand in the new text.
            let bytes = new.filter(|_| sink.fixes().is_some()).map_or(bytes, Cow::Owned);
            if !diagnostics.is_empty() || (ledger && !names.is_empty()) {
                let lines = LineIndex::new(&bytes);
                let file = FileFindings {
                    path: &input.shown,
                    bytes: &bytes,
                    lines: &lines,
                    diagnostics: &diagnostics,
                };
                done.findings = if diagnostics.is_empty() {
                    Vec::new()
                } else {
                    render.blocks(&file)
                };
                if ledger {
                    done.names = ledger_lines(&input.shown, &lines, &names);
                }
            }
            Ok(put)
        }),
    };
    done.tally.files = 1;
    match put {
        Ok(put) => {
            done.tally.copied = usize::from(put.copied);
            done.put = put;
        }
        Err(error) => done.failure = Some(error),
    }
    done
}

/// A file's translation with the findings that count.
struct Seen {
    translation: Translation,
    verdict: Verdict,
    /// What the sink gets: the translated text, or the input with its fixes.
    text: Option<Vec<u8>>,
    fixed: usize,
}

fn judged(input: &Input, bytes: &[u8], task: &Task) -> Seen {
    let at = task.root.join(&input.relative);
    let look = |bytes: &[u8]| {
        let mut translation = translate(&input.relative, bytes, task.project, task.options);
        let lines = LineIndex::new(bytes);
        let verdict = task.judge.judge(&at, bytes, &lines, &mut translation.diagnostics);
        (translation, verdict)
    };
    let (mut translation, mut verdict) = look(bytes);
    let Some(least) = task.sink.fixes() else {
        let text = translation.text.take();
        return Seen {
            translation,
            verdict,
            text,
            fixed: 0,
        };
    };
    let (mut text, mut fixed) = (None, 0);
    for _ in 0..ROUNDS {
        let fixes = translation
            .diagnostics
            .iter()
            .filter_map(|d: &Diagnostic| d.fix.as_ref());
        let done = fix::apply(text.as_deref().unwrap_or(bytes), fixes, least);
        if done.applied == 0 {
            break;
        }
        fixed += done.applied;
        (translation, verdict) = look(&done.text);
        text = Some(done.text);
    }
    Seen {
        translation,
        verdict,
        text,
        fixed,
    }
}

/// The ledger of one file as JSON objects joined by commas.
fn ledger_lines(path: &str, lines: &LineIndex, names: &[Occurrence]) -> Vec<u8> {
    #[derive(serde::Serialize)]
    struct Line<'a> {
        name: &'a str,
        library: &'a str,
        path: &'a str,
        line: usize,
        column: usize,
        fate: tranship::Fate,
        becomes: Option<&'a str>,
    }
    let each = names.iter().map(|o| {
        let (line, column) = lines.position(o.offset);
        let line = Line {
            name: &o.name,
            library: o.library,
            path,
            line: line + 1,
            column: column + 1,
            fate: o.fate,
            becomes: o.becomes.as_deref(),
        };
        serde_json::to_string(&line).expect("keys are strings")
    });
    each.collect::<Vec<_>>().join(",\n").into_bytes()
}

/// Those inputs whose translation differs from them, among those that `ask` picks. Nothing is written.
pub fn would_change<'a>(
    inputs: &'a [Input],
    project: &Project,
    options: &Options,
    ask: impl Fn(&Input) -> bool,
) -> Vec<&'a Input> {
    let changes = |input: &&Input| {
        let Ok(bytes) = input.read() else { return false };
        let text = caught(|| translate(&input.relative, &bytes, project, options).text);
        text.is_ok_and(|text| text.is_some_and(|t| t[..] != bytes[..]))
    };
    inputs
        .iter()
        .filter(|i| i.is_cuda() && ask(i))
        .filter(changes)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths() {
        let r = |root: &str, at: &str| relative_to(Path::new(root), Path::new(at));
        assert_eq!(r("/a/b", "/a/b/c/x.h"), Path::new("c/x.h"));
        assert_eq!(r("/a/b", "/a/i/x.h"), Path::new("../i/x.h"));
    }
}
