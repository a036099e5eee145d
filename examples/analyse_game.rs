//! Analyses a game, and says which moves decided it: `cargo run --release --example analyse_game -- examples/game.pgn`.

use halfpoint::analysis::{Analyser, Analysis, AnalysisOptions, PlayerReport, Selection, html_page, read};
use std::error::Error;
use std::ops::ControlFlow;
use std::{env, fs};

/// Nodes for each position.
const NODES: u64 = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).unwrap_or_else(|| "examples/game.pgn".to_owned());
    let mut options = AnalysisOptions::default();
    options.search.nodes = Some(NODES);
    // In place of what the tags of the game say: `options.players.white_elo = Some(1500)`.

    let text = fs::read_to_string(&path)?;
    let input = read(&path, text.as_bytes(), &Selection::only(1), false)?;
    input.faults.iter().for_each(|fault| eprintln!("{fault}"));
    let mut analysis = Analysis::new(input.sources, &options, [])?;
    let mut last = 0;
    Analyser::new(options)?.run(&mut analysis, &mut |progress| {
        if progress.done > last {
            last = progress.done;
            eprint!("\r{last} of {} positions", progress.positions);
        }
        // `Break` stops it; another `run` goes on with the game that was stopped.
        ControlFlow::Continue(())
    })?;
    eprintln!();

    for report in analysis.reports().unwrap_or_default() {
        println!("W/D/L for {}", report.wdl_for);
        let player = |player: &PlayerReport| {
            let analysis = &player.analysis;
            println!("{}: {:.2} points lost, {} blunders", player.name, analysis.lost.total, analysis.blunder);
        };
        player(&report.players.white);
        player(&report.players.black);
        report.moments.iter().for_each(|moment| println!("{}", moment.text));
        let page = html_page(&[report], false, "a game");
        println!("the report as a page: {} bytes", page.len());
    }
    Ok(())
}
