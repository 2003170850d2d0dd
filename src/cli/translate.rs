//! `tranship translate`: CUDA sources in, HIP sources out.

use super::args::{Files, Findings, Steering};
use super::control::Control;
use super::engine::{self, Input, Task};
use super::plan::{self, Place};
use super::report::{Report, Stream};
use super::sink::{Diff, DryRun, InPlace, Sink, ToPlace, ToStdout, WouldChange};
use super::{shims, summary};
use anyhow::{bail, Context, Result};
use clap::Args;
use std::collections::{BTreeSet, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use tranship::source::discover::{discover, Selection, Walk};
use tranship::source::write::Written;
use tranship::source::{git, kind};
use tranship::{Options, Project};

#[derive(Args)]
#[command(after_help = super::EXIT_CODES)]
pub struct Translate {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Where to write: a file when the input is one file (`-`: standard output), otherwise a folder that gets the
    /// whole tree, files without CUDA as they are
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Rewrite the files themselves; only those that change
    #[arg(long, conflicts_with = "output")]
    in_place: bool,
    /// Keep each rewritten FILE as FILE.orig; never overwrites one
    #[arg(long, requires = "in_place")]
    backup: bool,
    /// Rewrite also files with uncommitted changes
    #[arg(long, requires = "in_place")]
    allow_dirty: bool,
    /// Print a unified diff; write nothing
    #[arg(long, conflicts_with = "dry_run")]
    diff: bool,
    /// Write nothing; exit 1 if a file would change
    #[arg(long, conflicts_with = "dry_run")]
    check: bool,
    /// Print what would be written where; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Keep the names of files in an output folder; otherwise x.cu becomes x.hip and includes follow
    #[arg(long)]
    keep_names: bool,
    #[command(flatten)]
    steering: Steering,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    findings: Findings,
    #[command(flatten)]
    control: Control,
}

impl Translate {
    pub fn run(&self) -> Result<u8> {
        let config = self.control.config(&self.paths)?;
        let selection = self.files.selection(&config)?;
        let judge = self.control.judge(&config, None)?;
        let stdin = is_stdin(&self.paths)?;
        let keep_names = self.keep_names || config.keep_names == Some(true);
        let (place, skip) = self.place(&selection, stdin, keep_names)?;
        let writes = !(self.diff || self.check || self.dry_run);
        let options = self.steering.options(&config, self.keeps_names(&place, keep_names));
        let targets: Vec<&'static str> = options.targets.iter().map(|t| t.name).collect();
        let out_taken = self.diff || (writes && matches!(place, Place::Stdout));
        let mut report = Report::new(&self.findings, &config, targets, Stream::Err, out_taken)?;
        let threads = self.files.threads();

        let (mut inputs, root) = if stdin {
            (vec![stdin_input()?], PathBuf::new())
        } else {
            let in_place = matches!(place, Place::Inputs);
            let walk = Walk {
                selection: &selection,
                follow_links: !in_place,
                skip,
                git_root: in_place,
            };
            let found = discover(&self.paths, &walk);
            (engine::inputs(&found, &mut report)?, found.root)
        };
        plan::check_clashes(&inputs, &root, &place)?;
        let project = engine::gather(&mut inputs, &root, &single(&self.paths), threads, &mut report)?;
        if writes && self.in_place && !self.backup && !self.allow_dirty {
            refuse_dirty(&inputs, &project, &options)?;
        }
        let say = report.for_people();
        let sink: Box<dyn Sink + '_> = match &place {
            _ if self.diff => Box::new(Diff),
            _ if self.check => Box::new(WouldChange { say }),
            _ if self.dry_run => Box::new(DryRun { place: &place, say }),
            Place::Stdout => Box::new(ToStdout),
            Place::File(_) | Place::Tree { .. } => Box::new(ToPlace(&place)),
            Place::Inputs => Box::new(InPlace { backup: self.backup }),
        };
        let task = Task {
            project: &project,
            options: &options,
            root: &root,
            judge: &judge,
            sink: sink.as_ref(),
        };
        let units = engine::translate_all(&inputs, &task, threads, &mut report)?;
        if writes {
            write_shims(&units, &place, &root, &mut report)?;
        }
        let next = if writes {
            next(&inputs, &place, &options)
        } else {
            summary::Next::Translate
        };
        report.finish(self.check, &next)
    }

    /// Where results go, and the folder that the walk must not enter.
    fn place(&self, selection: &Selection, stdin: bool, keep_names: bool) -> Result<(Place, Option<PathBuf>)> {
        let previews = self.diff || self.check || self.dry_run;
        let one = self.paths.len() == 1 && !self.paths[0].is_dir();
        if stdin && self.in_place {
            bail!("standard input cannot be rewritten in place: leave out --in-place");
        }
        let Some(out) = &self.output else {
            return match () {
                _ if self.in_place || (previews && !stdin) => Ok((Place::Inputs, None)),
                _ if one => Ok((Place::Stdout, None)),
                _ => {
                    bail!("say where to write: -o DIR, or --in-place, or --diff, --check or --dry-run to write nothing")
                }
            };
        };
        if !one {
            if out.exists() && !out.is_dir() {
                bail!(
                    "the output {} is no folder, and the input is not one file: name a folder",
                    out.display()
                );
            }
            let at = plan::check_folder(&self.paths, out, selection)?;
            let place = Place::Tree {
                dir: out.clone(),
                keep_names,
            };
            return Ok((place, Some(at)));
        }
        if out == Path::new("-") {
            return Ok((Place::Stdout, None));
        }
        let folder = out.is_dir() || out.as_os_str().to_string_lossy().ends_with('/');
        let file = match self.paths[0].file_name() {
            Some(_) if folder && stdin => bail!("{} is a folder: name a file for the result", out.display()),
            Some(name) if folder && keep_names => out.join(name),
            Some(name) if folder => out.join(kind::renamed(Path::new(name))),
            _ => out.clone(),
        };
        plan::check_file(&self.paths[0], &file)?;
        Ok((Place::File(file), None))
    }

    /// Whether includes keep naming `x.cu`: where files keep their names, and where one file is given an output
    /// with the input's own ending.
    fn keeps_names(&self, place: &Place, keep_names: bool) -> bool {
        match place {
            Place::Inputs => true,
            Place::File(out) => keep_names || out.extension() == self.paths[0].extension(),
            Place::Stdout | Place::Tree { .. } => keep_names,
        }
    }
}

/// Whether the input is standard input; beside files it is refused.
pub fn is_stdin(paths: &[PathBuf]) -> Result<bool> {
    let dash = paths.iter().any(|p| p == Path::new("-"));
    if dash && paths.len() > 1 {
        bail!("`-` (standard input) cannot be given beside other paths");
    }
    Ok(dash)
}

/// Reads standard input.
pub fn stdin_input() -> Result<Input> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    Ok(Input::stdin(bytes))
}

/// The files named one by one.
pub fn single(paths: &[PathBuf]) -> Vec<PathBuf> {
    paths.iter().filter(|p| p.is_file()).cloned().collect()
}

/// Refuses to rewrite a file that git could not give back. Nothing has been written yet.
fn refuse_dirty(inputs: &[Input], project: &Project, options: &Options) -> Result<()> {
    let real = |input: &Input| std::fs::canonicalize(&input.path).ok();
    let files: HashSet<PathBuf> = inputs.iter().filter(|i| i.is_cuda()).filter_map(real).collect();
    let dirty = git::uncommitted(&files)?;
    if dirty.is_empty() {
        return Ok(());
    }
    let is_dirty = |input: &Input| real(input).is_some_and(|p| dirty.contains(&p));
    let refused = engine::would_change(inputs, project, options, is_dirty);
    if refused.is_empty() {
        return Ok(());
    }
    const SHOWN: usize = 10;
    let mut names: Vec<&str> = refused.iter().take(SHOWN).map(|i| i.shown.as_str()).collect();
    if refused.len() > SHOWN {
        names.push("...");
    }
    bail!(
        "these files have uncommitted changes: {}. Nothing was written: commit them, or pass --backup or --allow-dirty",
        names.join(", ")
    );
}

fn write_shims(units: &BTreeSet<&'static str>, place: &Place, root: &Path, report: &mut Report) -> Result<()> {
    if units.is_empty() {
        return Ok(());
    }
    match place.shim_root(root) {
        Some(dir) => {
            for (path, result) in shims::emit(units, &dir) {
                match result {
                    // Beside the sources it is a new file of the project.
                    Ok(Written::New) if matches!(place, Place::Inputs) => {
                        report.line(&format!("wrote {}: add it to the project", path.display()));
                    }
                    Ok(_) => {}
                    Err(error) => report.failure(&error)?,
                }
            }
        }
        None => {
            let units: Vec<&str> = units.iter().copied().collect();
            let units = units.join(" ");
            report.note(&format!(
                "the result includes shim headers; `tranship shims emit {units} -o DIR` writes them to DIR/tranship/"
            ));
        }
    }
    Ok(())
}

/// The command that compiles one of the results.
fn next(inputs: &[Input], place: &Place, options: &Options) -> summary::Next {
    let source = |i: &&Input| i.is_cuda() && i.path.extension().is_some_and(|e| e == "cu" || e == "cpp");
    let first = inputs.iter().find(source).and_then(|i| place.of(i));
    let Some(file) = first else { return summary::Next::None };
    let archs: Vec<String> = options
        .targets
        .iter()
        .map(|t| format!(" --offload-arch={}", t.name))
        .collect();
    // hipcc tells the language by the ending.
    let language = if file.extension().is_some_and(|e| e == "hip") {
        ""
    } else {
        " -x hip"
    };
    summary::Next::Compile(format!("hipcc{}{language} -c {}", archs.concat(), file.display()))
}
