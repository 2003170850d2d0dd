//! Flags that several commands share.

use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use tranship::options::{Launch, Options, Rocm, Warp};
use tranship::targets::{self, Target, ROCM_NEWEST};
use tranship::Severity;

/// What steers a translation.
#[derive(Args)]
#[command(next_help_heading = "Target")]
pub struct Steering {
    /// AMD architectures to compile for, for instance gfx942,gfx1100 (`tranship targets` lists them)
    #[arg(long, value_name = "T[,T]", value_delimiter = ',', value_parser = target, default_value = "gfx942")]
    pub arch: Vec<&'static Target>,
    /// ROCm release whose headers the output is compiled with
    #[arg(long, value_name = "V", default_value_t = ROCM_NEWEST)]
    pub rocm: Rocm,
    /// How kernel launches are written
    #[arg(long, value_enum, default_value_t = LaunchArg::Chevron)]
    launch: LaunchArg,
    /// What becomes of code for 32-lane warps
    #[arg(long, value_enum, default_value_t = WarpArg::Preserve)]
    warp: WarpArg,
}

impl Steering {
    /// The library's options.
    pub fn options(&self, keep_names: bool) -> Options {
        let mut targets: Vec<&'static Target> = Vec::new();
        for target in &self.arch {
            if !targets.iter().any(|t| t.name == target.name) {
                targets.push(target);
            }
        }
        Options {
            targets,
            rocm: self.rocm,
            launch: match self.launch {
                LaunchArg::Chevron => Launch::Chevron,
                LaunchArg::Ggl => Launch::Ggl,
            },
            warp: match self.warp {
                WarpArg::Preserve => Warp::Preserve,
                WarpArg::Native => Warp::Native,
            },
            keep_names,
        }
    }
}

pub fn target(name: &str) -> Result<&'static Target, String> {
    targets::find(name).ok_or_else(|| {
        let known: Vec<&str> = targets::TARGETS.iter().map(|t| t.name).collect();
        let guess = super::nearest(name, &known).map_or(String::new(), |n| format!("; did you mean {n}?"));
        format!("unknown architecture{guess} Known: {}", known.join(", "))
    })
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
    /// Proven patterns take the width of the hardware's wavefront
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

    pub fn selection(&self) -> anyhow::Result<tranship::source::discover::Selection> {
        let selection = tranship::source::discover::Selection::new(&self.include, &self.exclude);
        selection.map_err(|e| anyhow::anyhow!("--include or --exclude: {e}"))
    }
}

/// How findings are shown.
#[derive(Args)]
#[command(next_help_heading = "Findings")]
pub struct Findings {
    /// Format of the findings; json, sarif and github go to standard output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Human)]
    pub output_format: Format,
    /// The least severity that makes the exit code 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Error)]
    pub fail_on: FailOn,
    /// Show every finding, also those that repeat within a file
    #[arg(long)]
    pub all: bool,
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
    Never,
}

impl FailOn {
    pub fn severity(self) -> Option<Severity> {
        match self {
            FailOn::Error => Some(Severity::Error),
            FailOn::Warning => Some(Severity::Warning),
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
