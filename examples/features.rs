//! The evaluation of a position, term by term: `cargo run --release --example features -- FEN`.

use halfpoint::eval::{Explanation, Weights};
use halfpoint::position::Position;
use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let position = match env::args().nth(1) {
        Some(fen) => Position::from_fen(&fen, false)?,
        None => Position::from_fen("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9", false)?,
    };
    let explanation = Explanation::of(&position, &Weights::shipped());
    println!("{:24}{:>10}{:>10}", "term", "w, pawns", "d, logits");
    for term in &explanation.terms {
        let share = term.total();
        // Each has a middlegame and an endgame part; the phase mixes them.
        println!("{:24}{:10.2}{:10.2}", term.name, explanation.taper(share.wilo), explanation.taper(share.draw));
    }
    let (wilo, draw) = explanation.scores();
    println!("{:24}{wilo:10.2}{draw:10.2}", "all, with both curves");
    let wdl = explanation.evaluation.score().wdl();
    let [win, draw, loss] = wdl.per_mille();
    println!("W/D/L of the side to move, before any search: {win}/{draw}/{loss} per mille");
    Ok(())
}
