//! What a run is told beside its inputs: the configuration file, which findings count, and the baseline.

use anyhow::{Context, Result};
use clap::Args;
use std::path::{Path, PathBuf};
use tranship::config::{self, Config};
use tranship::diagnostics::baseline::{self, Baseline, Entry};
use tranship::diagnostics::policy::{Policy, Selector};
use tranship::source::{discover, LineIndex};
use tranship::Diagnostic;

/// The baseline's name where none is given.
const BASELINE: &str = "tranship-baseline.json";

/// Which findings count.
#[derive(Args)]
#[command(next_help_heading = "Control")]
pub struct Control {
    /// Configuration file; otherwise the nearest tranship.toml, or pyproject.toml with [tool.tranship], upward from the
    /// inputs
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long)]
    no_config: bool,
    /// Report only these findings: names, codes, families (TSW) or all; replaces select and ignore of the configuration
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',')]
    select: Vec<Selector>,
    /// Do not report these findings
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',')]
    ignore: Vec<Selector>,
    /// Leave out the findings that this file lists (see check --write-baseline)
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

impl Control {
    /// The configuration for these inputs.
    pub fn config(&self, paths: &[PathBuf]) -> Result<Config> {
        if let Some(path) = &self.config {
            return Ok(config::load(path)?);
        }
        let from = discover::common_folder(paths);
        if self.no_config {
            return Ok(Config {
                dir: from,
                ..Config::default()
            });
        }
        Ok(config::find(&from)?)
    }

    /// Where the baseline is, or is to be.
    pub fn baseline_path(&self, config: &Config) -> Option<PathBuf> {
        let configured = config.baseline.as_ref().map(|b| config.dir.join(b));
        self.baseline.clone().or(configured)
    }

    /// The rules of a run. `record`: a new baseline is collected for this file, and the old one is not read.
    pub fn judge(&self, config: &Config, record: Option<&Path>) -> Result<Judge> {
        let own = !self.select.is_empty();
        let mut ignore = self.ignore.clone();
        if !own {
            ignore.extend(config.ignore.iter().cloned());
        }
        let mut per_file = Vec::new();
        for (glob, selectors) in &config.per_file_ignores {
            per_file.push((discover::globs(std::slice::from_ref(glob))?, selectors.clone()));
        }
        let path = self.baseline_path(config);
        let known = match &path {
            Some(path) if record.is_none() => {
                let text = std::fs::read(path).with_context(|| {
                    let write = "write it with `tranship check PATH --write-baseline`";
                    format!("cannot read the baseline {}; {write}", path.display())
                })?;
                let known = Baseline::parse(&text).with_context(|| path.display().to_string())?;
                Some(known)
            }
            _ => None,
        };
        let path = record.map(Path::to_path_buf).or(path).unwrap_or_default();
        let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        // A folder that a new baseline is to make is not there yet.
        let baseline_dir = std::fs::canonicalize(parent).or_else(|_| std::path::absolute(parent));
        Ok(Judge {
            policy: Policy {
                select: if own {
                    Some(self.select.clone())
                } else {
                    config.select.clone()
                },
                ignore,
                levels: config.levels.clone(),
                per_file,
            },
            config_dir: config.dir.clone(),
            baseline: known,
            baseline_dir: baseline_dir.unwrap_or_default(),
            record: record.is_some(),
        })
    }
}

/// Decides which of a file's findings count.
pub struct Judge {
    policy: Policy,
    config_dir: PathBuf,
    baseline: Option<Baseline>,
    baseline_dir: PathBuf,
    record: bool,
}

/// What was decided on one file.
#[derive(Default)]
pub struct Verdict {
    /// Findings that the baseline lists, which were taken out.
    pub known: usize,
    /// Findings that it lists and that are no more.
    pub gone: usize,
    /// For a new baseline.
    pub entries: Vec<Entry>,
}

impl Judge {
    /// Takes out what does not count. `at` is the file's absolute path.
    pub fn judge(&self, at: &Path, bytes: &[u8], lines: &LineIndex, found: &mut Vec<Diagnostic>) -> Verdict {
        self.policy.apply(at.strip_prefix(&self.config_dir).ok(), found);
        let mut verdict = Verdict::default();
        let name = || {
            let path = super::engine::relative_to(&self.baseline_dir, at);
            path.to_string_lossy().replace('\\', "/")
        };
        if self.record {
            verdict.entries = baseline::entries(&name(), bytes, lines, found);
        } else if let Some(known) = &self.baseline {
            (verdict.known, verdict.gone) = known.take(&name(), bytes, lines, found);
        }
        verdict
    }
}

/// Where `--write-baseline` writes: what it names, the baseline in use, or the usual name.
pub fn baseline_target(given: Option<&Path>, in_use: Option<PathBuf>) -> PathBuf {
    let given = given.map(Path::to_path_buf);
    given.or(in_use).unwrap_or_else(|| PathBuf::from(BASELINE))
}
