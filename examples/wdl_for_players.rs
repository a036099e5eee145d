//! Win, draw and loss of a position for two players: ratings, time control and FEN.
//!
//! ```text
//! cargo run --release --example wdl_for_players -- 1500 1800 blitz "6k1/5p2/4p1p1/7p/3B1P1P/4P1P1/1b3K2/8 w - - 0 1"
//! ```

use halfpoint::analysis::{Analyser, AnalysisOptions};
use halfpoint::position::{GameHistory, Position};
use halfpoint::printing::{Pace, Profiles, Ratings, TimeClass, WdlFor};
use std::env;
use std::error::Error;

/// White, Black, time control and position where none are given.
const DEFAULTS: [&str; 4] = ["1500", "1800", "blitz", "6k1/5p2/4p1p1/1b5p/3B1P1P/4P1P1/1P3K2/8 w - - 0 1"];
/// Nodes of the search.
const NODES: u64 = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let argument = |index: usize| arguments.get(index).map_or(DEFAULTS[index], String::as_str);
    let ratings = Ratings { white: Some(argument(0).parse()?), black: Some(argument(1).parse()?) };
    let class = TimeClass::timed(argument(2))?;
    let game = GameHistory::new(Position::from_fen(argument(3), false)?);

    let profiles = Profiles::shipped();
    let players = ratings.wdl_for(&profiles, Pace::of_class(class)).ok_or("there is no profile of such games")?;
    let mut options = AnalysisOptions::default();
    options.search.nodes = Some(NODES);
    let mut analyser = Analyser::new(options)?;
    for (whom, wdl_for) in [("these players", players), ("the engine's own games", WdlFor::Nominal)] {
        let report = analyser.position(&game, &wdl_for)?;
        let [win, draw, loss] = report.wdl.map(|share| f64::from(share) / 10.0);
        println!("{whom}: White wins {win:.1} %, draws {draw:.1} %, loses {loss:.1} %");
        if let Some(line) = report.lines.first() {
            println!("  {}", line.san);
        }
    }
    Ok(())
}
