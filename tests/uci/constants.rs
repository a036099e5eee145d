//! The constants of the search as options, in a build with the feature `spsa`.

use crate::engine::{Engine, assert_one_info_string, last_score, parameter_file, words};
use std::process::Command;

#[test]
fn search_constants_come_from_a_file() {
    let shipped = {
        let output = Command::new(env!("CARGO_BIN_EXE_halfpoint")).arg("params").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let file = parameter_file(&shipped);
    let mut engine = Engine::start();
    let nodes = |engine: &mut Engine, text: &str| {
        std::fs::write(file.path(), text).unwrap();
        let answer = engine.ask(&format!("setoption name SearchParams value {}", file.path().display()));
        engine.ask("ucinewgame");
        let lines = engine.search("go depth 8");
        (answer, words(last_score(&lines), "nodes")[0].to_owned())
    };
    let (answer, usual) = nodes(&mut engine, &shipped);
    assert!(answer.is_empty());
    let (answer, other) = nodes(&mut engine, &shipped.replace("late_move_base = 1642", "late_move_base = 1000"));
    assert!(answer.is_empty());
    assert_ne!(usual, other);
    let (answer, same) = nodes(&mut engine, &shipped.replace("null_move_score_cp = ", "null_move_score_cp = -"));
    assert_one_info_string(&answer, "SearchParams");
    assert!(answer[0].contains("null_move_score_cp = -"), "{answer:#?}");
    assert_eq!(other, same, "the constants stay");
}
