//! The `halfpoint-lab` binary: self-play, tuning and calibration.
#![deny(clippy::print_stderr)]

use clap::{Parser, Subcommand};
use halfpoint_lab::calibration::{count, fit, profile, verify};
use halfpoint_lab::output::{error_line, one_line};
use halfpoint_lab::selfplay::{data, datagen};
use halfpoint_lab::tuning;
use std::error::Error;
use std::process::ExitCode;

/// Self-play, tuning and calibration for the chess engine Halfpoint.
#[derive(Parser)]
#[command(name = "halfpoint-lab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of the engine against itself into a file
    Datagen(datagen::Options),
    /// Check, convert and describe files of games
    #[command(subcommand)]
    Data(data::Command),
    /// Tune the weights of the evaluation from games
    Tune(Box<tuning::Options>),
    /// Count results by move number, material and evaluation over games with evaluations in their comments
    Count(count::Arguments),
    /// Fit Stockfish's two-parameter curves to counts
    Fit(fit::Arguments),
    /// Score the W/D/L that engines print against the results of games
    Verify(Box<verify::Arguments>),
    /// Fit level profiles for this engine to games
    Profile(Box<profile::Arguments>),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    match execute(arguments.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error_line(format_args!("error: {}", one_line(&error.to_string())));
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::Datagen(options) => datagen::run(&options)?,
        Command::Data(command) => command.run()?,
        Command::Tune(options) => tuning::run(&options)?,
        Command::Count(arguments) => count::run(&arguments)?,
        Command::Fit(arguments) => fit::run(&arguments)?,
        Command::Verify(arguments) => verify::run(&arguments)?,
        Command::Profile(arguments) => profile::run(&arguments)?,
    }
    Ok(())
}

/// Prints help and version in full, and a mistake on the command line as one line.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A closed output has no reader to tell.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let lines: Vec<_> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:"))
        .filter(|line| !line.is_empty())
        .collect();
    error_line(lines.join(" "));
    ExitCode::from(2)
}
