//! By whom moves are judged, what is said of them, and which were looked at again.

use crate::run::Run;
use serde_json::Value;

/// The report of a game from a position, with tags.
fn report(tags: &str, fen: &str, moves: &str, options: &str) -> Value {
    let text = format!("[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n{tags}\n{moves}\n");
    Run::new(text).json(&format!("games.pgn --nodes 3000 {options}")).remove(0)
}

/// What is said of the first move of a game from a position.
fn what(fen: &str, moves: &str) -> (Value, String) {
    let report = report("", fen, moves, "");
    let judgment = &report["analysis"][0]["judgment"];
    (judgment["causes"].clone(), judgment["what"].as_str().unwrap_or_default().to_owned())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// White is a queen ahead.
const QUEEN: &str = "1r4k1/5pp1/3p3p/8/8/4Q2P/5PP1/R5K1 w - - 0 1";
/// White has queen, rook, knight and two pawns against a rook, but must not play Qb6.
const TRAP: &str = "k5r1/8/8/8/3P4/1QN5/5R1P/7K w - - 0 1";

#[test]
fn what_a_bad_move_did_is_named() {
    let (causes, text) = what("6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1", "1. h3 *");
    assert_eq!(causes, serde_json::json!(["missedMate"]), "{text}");
    assert!(text.starts_with("missed mate in 1 (Rd8#): from winning to "), "{text}");

    let (causes, text) = what("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", "2. g4 *");
    assert_eq!(causes, serde_json::json!(["allowedMate"]), "{text}");
    assert_eq!(text, "allowed mate in 1 (Qh4#): from level to lost");

    let (causes, text) = what("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "1. Qg6 1/2-1/2");
    assert!(causes.as_array().unwrap().contains(&"stalemate".into()), "{causes}");
    assert!(text.contains("gave stalemate: from winning to level"), "{text}");

    let (causes, text) = what(TRAP, "1. Qb6 Rg1+ 2. Kxg1 1/2-1/2");
    assert!(causes.as_array().unwrap().contains(&"stalemate".into()), "{causes} {text}");
    assert!(text.contains("allowed stalemate (Rg1+): from winning to level"), "{text}");

    let (causes, text) = what(QUEEN, "1. Qe5 dxe5 *");
    assert!(causes.as_array().unwrap().contains(&"lostMaterial".into()), "{causes} {text}");
    assert!(text.contains("lost the queen (dxe5): from winning to "), "{text}");
}

#[test]
fn a_difference_in_rating_does_not_hide_mistakes() {
    let rated = |white: &str, black: &str| {
        let tag = |name, elo: &str| if elo.is_empty() { String::new() } else { format!("[{name} \"{elo}\"]\n") };
        report(
            &(tag("WhiteElo", white) + &tag("BlackElo", black)),
            START,
            "1. e4 e5 2. Ba6 Nxa6 3. Nf3 Ke7 4. Nxe5 *",
            "",
        )
    };
    let (far, weak, strong) = (rated("1500", "2700"), rated("1500", "1500"), rated("2700", "2700"));
    // Each is judged by equals at his own rating, whoever he plays.
    assert_eq!(far["analysis"][2]["lost"], weak["analysis"][2]["lost"]);
    assert_eq!(far["analysis"][5]["lost"], strong["analysis"][5]["lost"]);
    assert!(far["analysis"][2]["judgment"].is_object() && far["analysis"][5]["judgment"].is_object(), "{far}");
    // W/D/L of these two stand beside those of equals.
    assert_eq!(far["wdlFor"], "White rated 1500 against Black rated 2700 in classical games");
    assert_eq!(far["equalsFor"], "players rated 2100 in classical games");
    assert_ne!(far["start"]["equals"], far["start"]["wdl"]);
    for same in [rated("", ""), weak, rated("1500", ""), rated("", "2700")] {
        assert!(same["start"].get("equals").is_none(), "{}", same["start"]);
        assert_eq!(same["wdlFor"], same["equalsFor"]);
    }
    assert_eq!(rated("", "2700")["analysis"], rated("2700", "2700")["analysis"]);
    let none = rated("", "");
    assert_eq!(none["start"]["wdl"], none["start"]["nominal"]);
}

#[test]
fn a_won_position_is_won_against_a_stronger_player_too() {
    let report = report("[WhiteElo \"1500\"]\n[BlackElo \"2700\"]\n", QUEEN, "1. Rd1 *", "");
    let wins = |view: &str| report["start"][view][0].as_u64().unwrap();
    assert!(wins("wdl") > 100 && wins("equals") > wins("wdl") + 100, "{}", report["start"]);
}

#[test]
fn a_mate_that_comes_in_sight_is_no_loss() {
    // People win more of the positions so far ahead than of those with a mate in four.
    let tags = "[WhiteElo \"922\"]\n[BlackElo \"941\"]\n[TimeControl \"600+0\"]\n";
    let fen = "2k5/1p2bp2/p5p1/P3p3/QpPpP3/3P1K2/1P3P2/4q2r b - - 3 29";
    let report = report(tags, fen, "29... Rh3+ *", "");
    let played = &report["analysis"][0];
    assert!(report["start"]["mate"].is_null() && played["mate"].as_i64().unwrap() < 0, "{played}");
    let wins = |view: &Value| view["wdl"][2].as_u64().unwrap();
    assert!(wins(&report["start"]) > wins(played) && played["lost"]["total"] == 0.0, "{played}");
}

#[test]
fn moments_are_those_that_brought_the_result() {
    // White hangs a piece, Black the queen: Black's loss decided.
    let moves = "1. e4 e5 2. Ba6 Nxa6 3. Nf3 Qh4 4. Nxh4 Nb4 5. O-O";
    let decided = report("", START, &format!("{moves} 1-0"), "");
    assert_eq!(decided["momentsAre"], "decisive");
    let plies: Vec<_> = decided["moments"].as_array().unwrap().iter().map(|moment| moment["ply"].clone()).collect();
    assert!(plies.contains(&6.into()) && !plies.contains(&3.into()), "{}", decided["moments"]);
    let unknown = report("", START, &format!("{moves} *"), "");
    assert_eq!(unknown["momentsAre"], "worst");
    let plies: Vec<_> = unknown["moments"].as_array().unwrap().iter().map(|moment| moment["ply"].clone()).collect();
    assert!(plies.contains(&6.into()) && plies.contains(&3.into()), "{}", unknown["moments"]);
}

#[test]
fn time_that_decides_against_the_position_has_no_moments() {
    let tags = "[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n[TimeControl \"60\"]\n[Termination \"time\"]\n";
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 h6";
    let won = report(tags, START, &format!("{moves} 1-0"), "");
    assert_eq!((&won["ending"], &won["momentsAre"]), (&"time".into(), &"worst".into()));
    let lost = report(tags, START, &format!("{moves} 0-1"), "");
    assert_eq!((&lost["ending"], &lost["momentsAre"]), (&"time".into(), &"decisive".into()));
}

#[test]
fn bad_moves_are_looked_at_again() {
    let game = "1. e4 e5 2. Ba6 Nxa6 3. Nf3 Nf6 4. Nc3 Nb8 5. d3 Nc6 6. O-O Be7 7. h3 O-O 8. Be3 d6 9. Qd2 Be6 *";
    let run = Run::new(game);
    let report = &run.json("games.pgn --nodes 2000")[0];
    let looks = |ply: usize| report["analysis"][ply - 1]["looks"].as_u64();
    assert!(looks(3) > Some(1), "the position after 2. Ba6: {report}");
    let nodes = |ply: usize| report["analysis"][ply - 1]["nodes"].as_u64().unwrap();
    assert!(nodes(3) > 2 * nodes(18), "{} {}", nodes(3), nodes(18));
    assert!(run.run("games.pgn --nodes 2000 --pgn out.pgn").status.success());
    let annotated = run.read("out.pgn");
    assert!(annotated.contains("[%look 2]") || annotated.contains("[%look 3]"), "{annotated}");
    assert!(annotated.contains("({Blunder: "), "{annotated}");
}

#[test]
fn only_moves_and_best_moves_are_told() {
    // The rook takes the queen, or is lost against it.
    let fen = "6k1/5pp1/7p/8/8/3q4/5PPP/3R2K1 w - - 0 1";
    let run = Run::new(format!("[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. Rxd3 Kh7 *\n"));
    let game = &run.json("games.pgn --nodes 3000 --multipv 2")[0];
    assert_eq!((&game["analysis"][0]["only"], game["analysis"][1].get("only")), (&true.into(), None));
    assert_eq!(game["players"]["white"]["analysis"]["best"], 1);
    assert!(run.json("games.pgn --nodes 3000")[0]["analysis"][0].get("only").is_none());
    // Of the moves that are judged to be bad none has kept the chances, whatever the search before it thought of it.
    let played = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1";
    let games = Run::new(played).json("games.pgn --nodes 500 --multipv 5");
    for played in games[0]["analysis"].as_array().unwrap() {
        let others = played["kept"].as_str().filter(|kept| kept.starts_with("One move")).is_some();
        let next = played["kept"].as_str().and_then(|kept| kept.rsplit(' ').next()?.parse::<f64>().ok());
        let lost = played["lost"]["total"].as_f64().unwrap();
        // If one move alone was good, another that was played lost at least as much as the next best.
        assert!(!others || lost == 0.0 || lost + 0.006 >= next.unwrap(), "{played}");
    }
    assert!(run.run("games.pgn --nodes 3000 --multipv 2 --pgn out.pgn").status.success());
    assert!(run.read("out.pgn").contains("1. Rxd3 $7 {"), "{}", run.read("out.pgn"));
}
