//! The command line: arguments to calls of the library, results to streams and exit codes. A file a command.
//!
//! Results go to standard output, all else to standard error. There are three exit codes.

mod args;
mod check;
mod compat;
mod control;
mod engine;
mod explain;
mod occupancy;
mod parallel;
mod plan;
mod progress;
mod report;
mod rules;
mod shims;
mod sink;
mod summary;
mod targets;
mod translate;

use clap::{Parser, Subcommand};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

const EXIT_CODES: &str = "Exit codes:
  0  done
  1  findings at or above --fail-on (default: error), or changes under --check
  2  wrong usage, or a file that could not be read or written (the others are still done)";

/// Carries CUDA C++ to AMD GPUs: translates to HIP, and says what a 64-wide wavefront breaks.
#[derive(Parser)]
#[command(version, after_help = EXIT_CODES, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Translate CUDA sources to HIP
    Translate(translate::Translate),
    /// Say what a translation would leave to do, and fix what can be fixed in the CUDA source
    Check(check::Check),
    /// Write a header that lets the untouched CUDA sources build for AMD
    Compat(compat::Compat),
    /// Explain a finding: its page, by name or code
    Explain(explain::Explain),
    /// List the rules, or show those of one CUDA name
    Rules(rules::Rules),
    /// List and compare GPUs: the architectures that --arch takes, and NVIDIA parts beside them
    Targets(targets::Targets),
    /// Say how many workgroups a compute unit holds, and what limits them
    Occupancy(occupancy::Occupancy),
    /// List or write the shim headers that translated code includes
    Shims(shims::Shims),
}

/// Parses, runs, and turns errors into messages and an exit code.
pub fn main() -> ExitCode {
    parallel::hook_panics();
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Translate(c) => c.run(),
        Command::Check(c) => c.run(),
        Command::Compat(c) => c.run(),
        Command::Explain(c) => c.run(),
        Command::Rules(c) => c.run(),
        Command::Targets(c) => c.run(),
        Command::Occupancy(c) => c.run(),
        Command::Shims(c) => c.run(),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            // The reader of a pipe went away: it has what it wanted.
            let closed = |e: &(dyn std::error::Error + 'static)| {
                e.downcast_ref::<io::Error>()
                    .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
            };
            if error.chain().any(closed) {
                return ExitCode::SUCCESS;
            }
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Writes a command's result to standard output.
fn print(text: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text)?;
    out.flush()?;
    Ok(())
}

/// Whether to colour what goes to a stream: `--color`, then NO_COLOR, then FORCE_COLOR, then the terminal.
fn colored(choice: args::Color, stream: &impl IsTerminal) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    match choice {
        args::Color::Always => true,
        args::Color::Never => false,
        args::Color::Auto if set("NO_COLOR") => false,
        args::Color::Auto if set("FORCE_COLOR") => true,
        args::Color::Auto => stream.is_terminal() && std::env::var_os("TERM").is_none_or(|t| t != "dumb"),
    }
}

use tranship::near::nearest;
