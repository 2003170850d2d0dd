//! The configuration file: `tranship.toml`, or `[tool.tranship]` in `pyproject.toml`, nearest upward.
//!
//! Options of the command line come before it. An unknown key or a bad value is an error with its place.

mod read;

use crate::diagnostics::policy::{Level, Selector};
use crate::diagnostics::Severity;
use crate::options::{Launch, Rocm, Warp};
use crate::targets::Target;
use std::path::{Path, PathBuf};

/// The names that are looked for in each folder, the first one found counts.
pub const NAMES: [&str; 2] = ["tranship.toml", "pyproject.toml"];

/// What a configuration file says; what it does not say is `None` or empty.
#[derive(Debug, Default)]
pub struct Config {
    /// The file; `None` where there is none.
    pub path: Option<PathBuf>,
    /// Its folder, which its globs and paths start from; absolute.
    pub dir: PathBuf,
    pub arch: Option<Vec<&'static Target>>,
    pub rocm: Option<Rocm>,
    pub launch: Option<Launch>,
    pub warp: Option<Warp>,
    pub keep_names: Option<bool>,
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub select: Option<Vec<Selector>>,
    pub ignore: Vec<Selector>,
    pub levels: Vec<(Selector, Level)>,
    pub per_file_ignores: Vec<(String, Vec<Selector>)>,
    /// The least severity that fails a run; `Some(None)`: none does.
    pub fail_on: Option<Option<Severity>>,
    /// The baseline, relative to `dir`.
    pub baseline: Option<PathBuf>,
}

/// Why a configuration file was not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("{}:{line}:{column}: {message}", path.display())]
    Bad {
        path: PathBuf,
        line: usize,
        column: usize,
        message: String,
    },
    #[error("{}: has no [tool.tranship]", path.display())]
    NoTable { path: PathBuf },
}

/// The configuration nearest upward from a folder; the default where there is none.
pub fn find(from: &Path) -> Result<Config, ConfigError> {
    for dir in from.ancestors() {
        for name in NAMES {
            let path = dir.join(name);
            if !path.is_file() {
                continue;
            }
            match load(&path) {
                Err(ConfigError::NoTable { .. }) => {}
                done => return done,
            }
        }
    }
    Ok(Config {
        dir: from.to_path_buf(),
        ..Config::default()
    })
}

/// Reads one file.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let failed = |error| ConfigError::Read {
        path: path.to_path_buf(),
        error,
    };
    let text = std::fs::read_to_string(path).map_err(failed)?;
    let mut config = read::read(path, &text)?;
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    config.dir = std::fs::canonicalize(parent.unwrap_or(Path::new("."))).map_err(failed)?;
    config.path = Some(path.to_path_buf());
    Ok(config)
}
