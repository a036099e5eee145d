//! Compares perft with the known counts of a file, a position in each line: `FEN ;D1 20 ;D2 400 …`.
//!
//! ```text
//! cargo run --release --example perft_file -- standard.epd 5
//! ```

#[path = "../tests/perft/counts.rs"]
mod counts;

use counts::Counts;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.as_slice() {
        [path, depth] => compare(path, depth),
        _ => Err("usage: perft_file FILE DEPTH".to_owned()),
    };
    match result {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Compares all counts up to `depth` plies, a position at a time on each processor.
fn compare(path: &str, depth: &str) -> Result<String, String> {
    let depth = depth.parse().map_err(|_| format!("'{depth}' is not a depth in plies"))?;
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let positions = Counts::parse(&text).map_err(|error| format!("{path}: {error}"))?;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut compared = 0;
        while let Some(counts) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
            compared += counts.compare(depth)?;
        }
        Ok::<usize, String>(compared)
    };
    let compared = thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().map_err(|_| "a thread panicked".to_owned())?)
            .sum::<Result<usize, String>>()
    })?;
    Ok(format!("{} positions, {compared} counts up to depth {depth}: all equal", positions.len()))
}
