//! The command line of tranship; see `cli/`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
