//! The library's analysis against what the engine prints.

use halfpoint::analysis::{Analyser, AnalysisOptions};
use halfpoint::position::{GameHistory, Position};
use halfpoint::printing::WdlFor;
use std::process::Command;

/// W/D/L of the last line that the engine prints for a position.
fn printed(fen: &str, depth: usize) -> String {
    let commands = [
        "setoption name UCI_ShowWDL value true".to_owned(),
        format!("position fen {fen}"),
        format!("go depth {depth}"),
    ];
    let output = Command::new(env!("CARGO_BIN_EXE_halfpoint")).args(commands).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().rfind(|line| line.contains(" wdl ")).unwrap();
    line.split_whitespace().skip_while(|word| *word != "wdl").skip(1).take(3).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_position_has_the_wdl_that_the_engine_prints() {
    let mut options = AnalysisOptions::default();
    (options.search.nodes, options.search.depth) = (None, Some(8));
    let mut analyser = Analyser::new(options).unwrap();
    for fen in [
        "4k3/3b4/1p3p2/p1p1p1p1/P1P1P1P1/1P3PP1/3B4/4K3 w - - 0 1",
        "6k1/5p2/4p1p1/1b5p/3B1P1P/4P1P1/1P3K2/8 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ] {
        let game = GameHistory::new(Position::from_fen(fen, false).unwrap());
        let [win, draw, loss] = analyser.position(&game, &WdlFor::Nominal).unwrap().wdl;
        assert_eq!(format!("{win} {draw} {loss}"), printed(fen, 8), "{fen}");
    }
}
