//! Contempt: which value is used and reported, and that printed scores stay objective.

use crate::engine::{Engine, KIWIPETE, assert_one_info_string, at_fixed_nodes, last_score, number, words};

/// Lines that report contempt, and the others.
fn contempt_at_fixed_nodes(engine: &mut Engine, settings: &[&str]) -> (Vec<String>, Vec<String>) {
    for setting in settings {
        assert!(engine.ask(&format!("setoption name {setting}")).is_empty(), "{setting}");
    }
    let (rest, wdl) = at_fixed_nodes(engine, &format!("position fen {KIWIPETE}"));
    let (reported, rest): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|line| line.starts_with("info string contempt"));
    (reported, [rest, wdl].concat())
}

#[test]
fn contempt_is_reported_with_its_source() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    let (reported, plain) = contempt_at_fixed_nodes(&mut engine, &[]);
    assert!(reported.is_empty(), "{reported:?}");
    let mut check = |settings: &[&str], part: &str, same: bool| {
        let (reported, lines) = contempt_at_fixed_nodes(&mut engine, settings);
        assert!(reported.len() == 1 && reported[0].contains(part), "{settings:?}: {reported:?}");
        assert_eq!(lines == plain, same, "{settings:?}");
        lines
    };
    let a = check(&["Contempt value 120"], "contempt 120 Elo for White, by Contempt:", false);
    let b = check(&["Contempt value -120", "ContemptSide value black"], "contempt -120 Elo for Black", false);
    assert_eq!(a, b, "an advantage of White is a disadvantage of Black");
    check(&["ContemptSide value off"], "contempt 0: ContemptSide is off", true);
    check(&["ContemptSide value play", "UCI_AnalyseMode value true"], "contempt 0: this is analysis", true);
    check(&["Contempt value 120", "ContemptSide value white"], "contempt 120 Elo for White", false);
    let known = ["UCI_RatingAdv value 90", "UCI_Opponent value IM 2500 human A B", "OwnElo value 2620"];
    check(&[&known[..], &["AutoContempt value true"]].concat(), "contempt 120 Elo for White, by Contempt:", false);
    check(&["Contempt value 0"], "contempt 90 Elo for White, by UCI_RatingAdv 90:", false);
    let c = check(&["UCI_RatingAdv value 0"], "120 Elo for White, by OwnElo 2620 against IM A B (human) 2500:", false);
    assert_eq!(a, c, "where it comes from does not matter");
    check(&["UCI_Opponent value none none human A"], "contempt 0: by OwnElo 2620 against A (human)", true);
    check(&["UCI_Opponent"], "contempt 0: AutoContempt knows neither", true);
    let (reported, lines) = contempt_at_fixed_nodes(&mut engine, &["AutoContempt value false"]);
    assert!(reported == ["info string contempt 0"] && lines == plain, "{reported:?}");
    let (reported, _) = contempt_at_fixed_nodes(&mut engine, &[]);
    assert!(reported.is_empty(), "{reported:?}");
}

#[test]
fn contempt_is_reported_once_and_zero_in_analysis() {
    let mut engine = Engine::start();
    engine.ask("setoption name Contempt value 80");
    let mut reported = |go: &str, until: &str| {
        engine.send(go);
        let mut lines = engine.until(until);
        if until != "bestmove" {
            engine.send("stop");
            lines.extend(engine.until("bestmove"));
        }
        lines.retain(|line| line.starts_with("info string"));
        lines
    };
    assert_one_info_string(&reported("go depth 2", "bestmove"), "new");
    assert!(reported("go depth 2", "bestmove").is_empty());
    assert!(reported("go ponder wtime 1000 btime 1000", "info depth").is_empty(), "pondering is playing");
    for go in ["go infinite", "go"] {
        let lines = reported(go, "info depth");
        assert_eq!(lines, ["info string contempt 0: this is analysis, and ContemptSide is play"], "{go}");
        assert_one_info_string(&reported("go depth 2", "bestmove"), "again");
    }
}

#[test]
fn printed_scores_are_without_contempt_unless_shown() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    // The move leads to a quiet position, whose evaluation is the score.
    engine.ask("position fen 8/5k2/3p4/3P4/8/2K2P2/8/8 w - - 0 1");
    let mut printed = |contempt: i32, shown: bool| {
        engine.ask(&format!("setoption name Contempt value {contempt}"));
        engine.ask(&format!("setoption name ShowContempt value {shown}"));
        let lines = engine.search("go depth 1 searchmoves c3c4");
        let line = last_score(&lines).to_owned();
        let draws: i64 = words(&line, "wdl")[1].parse().unwrap();
        (number(&line, "cp"), draws)
    };
    let (plain, draws) = printed(0, false);
    assert_eq!(printed(0, true), (plain, draws));
    for contempt in [-1000, -300, -40, 40, 300, 1000] {
        let (objective, objective_draws) = printed(contempt, false);
        assert!(
            (objective - plain).abs() <= 3 && (objective_draws - draws).abs() <= 3,
            "{contempt}: {objective} {plain}, {objective_draws} {draws}"
        );
        let (with, _) = printed(contempt, true);
        assert_eq!(with > plain, contempt > 0, "{contempt}: {with} {plain}");
    }
}
