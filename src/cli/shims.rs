//! `tranship shims`: the headers that translated code includes as `tranship/<unit>.hpp`.

use anyhow::bail;
use clap::{Args, Subcommand};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tranship::shims::{unit, UNITS};
use tranship::source::write::{self, Written};
use tranship::source::{kind, SourceError};

#[derive(Args)]
pub struct Shims {
    #[command(subcommand)]
    command: ShimsCommand,
}

#[derive(Subcommand)]
enum ShimsCommand {
    /// List the units
    List,
    /// Write units, and those they need, to DIR/tranship/
    Emit {
        /// Names of units
        #[arg(value_name = "UNIT", required = true)]
        units: Vec<String>,
        /// The folder that gets `tranship/`
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
    },
}

impl Shims {
    pub fn run(&self) -> anyhow::Result<u8> {
        match &self.command {
            ShimsCommand::List => {
                let mut out = String::new();
                for u in UNITS {
                    writeln!(out, "{:<16}{}", u.name, summary(u.text))?;
                }
                super::print(out.as_bytes())?;
            }
            ShimsCommand::Emit { units, output } => {
                let mut names = BTreeSet::new();
                for name in units {
                    match unit(name) {
                        Some(u) => names.insert(u.name),
                        None => {
                            let known: Vec<&str> = UNITS.iter().map(|u| u.name).collect();
                            let guess =
                                super::nearest(name, &known).map_or(String::new(), |n| format!(", did you mean {n}?"));
                            bail!("no shim unit '{name}'{guess} (`tranship shims list` shows them)");
                        }
                    };
                }
                for (path, result) in emit(&names, output) {
                    result?;
                    super::print(format!("{}\n", path.display()).as_bytes())?;
                }
            }
        }
        Ok(0)
    }
}

/// The first comment of a unit's text, as its description.
fn summary(text: &str) -> &str {
    let comment = text.lines().find_map(|l| l.strip_prefix("//"));
    comment.unwrap_or("").trim_start_matches(['/', '!', ' ']).trim()
}

/// The units named and those they need, in order.
pub fn closure(names: &BTreeSet<&'static str>) -> BTreeSet<&'static str> {
    let mut all = BTreeSet::new();
    let mut open: Vec<&'static str> = names.iter().copied().collect();
    while let Some(name) = open.pop() {
        if all.insert(name) {
            open.extend(unit(name).map_or(&[][..], |u| u.needs));
        }
    }
    all
}

/// Writes units and those they need to `root/tranship/`. A file there that tranship did not generate stays.
pub fn emit(names: &BTreeSet<&'static str>, root: &Path) -> Vec<(PathBuf, Result<Written, SourceError>)> {
    let units = closure(names).into_iter().filter_map(unit);
    let one = |u: &tranship::shims::Unit| {
        let path = root.join("tranship").join(format!("{}.hpp", u.name));
        let theirs = std::fs::read(&path).is_ok_and(|old| !kind::is_generated(&old));
        let result = if theirs {
            Err(SourceError::NotGenerated { path: path.clone() })
        } else {
            write::write(&path, text(u).as_bytes(), None)
        };
        (path, result)
    };
    units.map(one).collect()
}

/// The header as it is written.
fn text(u: &tranship::shims::Unit) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "{}{version}; regenerate with: tranship shims emit {} -o <folder above tranship/>\n{}",
        kind::GENERATED,
        u.name,
        u.text
    )
}
