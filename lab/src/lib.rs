//! Self-play, tuning and calibration for the chess engine Halfpoint. What is public serves the binary and the fuzzers.
#![deny(missing_docs, clippy::print_stdout, clippy::print_stderr)]

mod calibration;
pub mod dataset;
mod figures;
mod grids;
mod human;
mod outcome;
mod progress;
mod reading;
mod reliability;
mod selfplay;
mod stats;
mod training;
mod tuning;
mod wdl_model;
mod writing;

pub use wdl_model::fit;

use calibration::{law, profile, verify};
use clap::{Parser, Subcommand};
use halfpoint::output::{self, print_usage};
use selfplay::{data, datagen};
use std::process::ExitCode;
use wdl_model::count;

/// Most threads or processes that may be asked for.
const MAX_THREADS: i64 = 1024;
/// Largest seed: what a number in TOML can be.
const MAX_SEED: u64 = i64::MAX as u64;

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
    /// Train a network that adds to the terms from games
    Train(Box<training::Options>),
    /// Count results by move number, material and evaluation over games with evaluations in their comments
    Count(count::Arguments),
    /// Fit Stockfish's two-parameter curves to counts
    Fit(fit::Arguments),
    /// Score the W/D/L that engines print against the results of games
    Verify(Box<verify::Arguments>),
    /// Fit the model of people's moves to rated games
    Human(Box<human::Options>),
    /// Fit what scores mean by the nodes of each move, or by people's ratings and time
    #[command(subcommand)]
    Law(Box<law::Command>),
    /// Fit level profiles for this engine to games
    Profile(Box<profile::Arguments>),
}

/// Runs the command of the command line.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return print_usage(&error),
    };
    let result = match arguments.command {
        Command::Datagen(options) => datagen::run(&options),
        Command::Data(command) => command.run(),
        Command::Tune(options) => tuning::run(&options),
        Command::Train(options) => training::run(&options),
        Command::Count(arguments) => count::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Human(options) => human::run(&options),
        Command::Law(command) => law::run(&command),
        Command::Profile(arguments) => profile::run(&arguments),
    };
    output::end(result.map(|()| true).map_err(|error| format!("{error:#}")))
}
