//! Flags that several commands share.

use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use tranship::config::Config;
use tranship::options::{Launch, Options, Rocm, Warp};
use tranship::source::discover::Selection;
use tranship::targets::{self, Target};
use tranship::Severity;

/// What steers a translation.
#[derive(Args)]
#[command(next_help_heading = "Target")]
pub struct Steering {
    /// AMD architectures to compile for, for instance gfx942,gfx1100 (`tranship targets` lists them) [default: gfx942]
    #[arg(long, value_name = "T[,T]", value_delimiter = ',', value_parser = targets::named)]
    arch: Option<Vec<&'static Target>>,
    /// ROCm release whose headers the output is compiled with [default: the newest known]
    #[arg(long, value_name = "V")]
    rocm: Option<Rocm>,
    /// How kernel launches are written [default: chevron]
    #[arg(long, value_enum)]
    launch: Option<LaunchArg>,
    /// What becomes of code for 32-lane warps [default: preserve]
    #[arg(long, value_enum)]
    warp: Option<WarpArg>,
}

impl Steering {
    /// The library's options: these, then the configuration's, then the defaults.
    pub fn options(&self, config: &Config, keep_names: bool) -> Options {
        let default = Options::default();
        let chosen = self.arch.as_ref().or(config.arch.as_ref());
        let mut targets: Vec<&'static Target> = Vec::new();
        for target in chosen.unwrap_or(&default.targets) {
            if !targets.iter().any(|t| t.name == target.name) {
                targets.push(target);
            }
        }
        Options {
            targets,
            rocm: self.rocm.or(config.rocm).unwrap_or(default.rocm),
            launch: match self.launch {
                Some(LaunchArg::Chevron) => Launch::Chevron,
                Some(LaunchArg::Ggl) => Launch::Ggl,
                None => config.launch.unwrap_or(default.launch),
            },
            warp: match self.warp {
                Some(WarpArg::Preserve) => Warp::Preserve,
                Some(WarpArg::Native) => Warp::Native,
                None => config.warp.unwrap_or(default.warp),
            },
            keep_names,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum LaunchArg {
    /// kernel<<<grid, block>>>(args), as in the source
    Chevron,
    /// hipLaunchKernelGGL(kernel, grid, block, shared, stream, args)
    Ggl,
}

#[derive(Clone, Copy, ValueEnum)]
enum WarpArg {
    /// Logical warps keep 32 lanes on every target
    Preserve,
    /// The same, with a warning at each place that holds the code to them
    Native,
}

/// Which files are translated.
#[derive(Args)]
#[command(next_help_heading = "Files")]
pub struct Files {
    /// Translate only files that match this glob (path or name); others are copied as they are
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,
    /// Leave files that match this glob (path or name) as they are
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Number of threads; the output does not depend on it
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
}

impl Files {
    pub fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.map_or_else(all, NonZeroUsize::get)
    }

    /// Which files are taken, by these globs and the configuration's.
    pub fn selection(&self, config: &Config) -> anyhow::Result<Selection> {
        let selection = Selection::new(&self.include, &self.exclude);
        let selection = selection.map_err(|e| anyhow::anyhow!("--include or --exclude: {e}"))?;
        Ok(selection.with_config(&config.dir, &config.include, &config.exclude)?)
    }
}

impl Findings {
    /// The least severity that fails the run: this option, the configuration, or error.
    pub fn fails_on(&self, config: &Config) -> Option<Severity> {
        match self.fail_on {
            Some(level) => level.severity(),
            None => config.fail_on.unwrap_or(Some(Severity::Error)),
        }
    }
}

/// How findings are shown.
#[derive(Args)]
#[command(next_help_heading = "Findings")]
pub struct Findings {
    /// Format of the findings; human and short of `translate` go to standard error, all else to standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    pub output_format: Format,
    /// The least severity that makes the exit code 1 [default: error]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Show every finding, also those whose cause was shown already
    #[arg(long)]
    pub all: bool,
    /// Instead of findings print how many there are of each, and the CUDA names met by library
    #[arg(long)]
    pub statistics: bool,
    /// Write every CUDA name met and what became of it to this file, as JSON
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// No summary, no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// When to use colour (NO_COLOR and FORCE_COLOR are obeyed)
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    pub color: Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Source lines, reasons, what to do
    Human,
    /// path:line:column: severity[name]: message
    Short,
    /// JSON lines
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// GitHub annotations
    Github,
    /// GitLab code quality
    Gitlab,
    /// JUnit XML
    Junit,
}

impl Format {
    /// Whether programs read it: then nothing for people is printed beside it.
    pub fn is_machine(self) -> bool {
        !matches!(self, Format::Human | Format::Short)
    }
}

/// The format of a command that prints a table or a page.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    Human,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Note,
    Never,
}

impl FailOn {
    pub fn severity(self) -> Option<Severity> {
        match self {
            FailOn::Error => Some(Severity::Error),
            FailOn::Warning => Some(Severity::Warning),
            FailOn::Note => Some(Severity::Note),
            FailOn::Never => None,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}
