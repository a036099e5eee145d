//! The `halfpoint-lab` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    halfpoint_lab::main()
}
