//! W/D/L for two players, the order of lines, and what `eval` says of them.

use crate::engine::{Engine, KIWIPETE, at_fixed_nodes, last_score, number, words};
use halfpoint::games::{GameTexts, ReadOptions};
use halfpoint::position::Position;
use std::fs::File;
use std::io::BufReader;

/// Settings under which the rules of printing differ.
const SETTINGS: [&[&str]; 4] = [
    &["WDL_Profile value nominal"],
    &["WDL_Profile value uncorrected"],
    &["WDL_WhiteElo value 600", "WDL_BlackElo value 1000", "WDL_TimeControl value rapid"],
    &["WDL_WhiteElo value 2850", "WDL_BlackElo value 2450", "WDL_TimeControl value classical"],
];

fn set(engine: &mut Engine, settings: &[&str]) {
    for setting in ["WDL_WhiteElo value 0", "WDL_BlackElo value 0"].iter().chain(settings) {
        let answer = engine.ask(&format!("setoption name {setting}"));
        assert!(answer.is_empty(), "{setting}: {answer:?}");
    }
}

/// Positions of games, each after some moves.
fn positions(count: usize) -> Vec<String> {
    let file = BufReader::new(File::open("tests/data/engine-games.pgn").unwrap());
    let games = GameTexts::new(file).map(|text| text.unwrap().parse(&ReadOptions::default()).unwrap());
    let after = |(index, game): (usize, halfpoint::games::GameRecord)| {
        let mut position = game.start.clone();
        for played in game.moves.iter().take(10 + 9 * (index % 12)) {
            use shakmaty::Position as _;
            position.play_unchecked(played.m);
        }
        Position::from_chess(&position).fen()
    };
    games.enumerate().map(after).take(count).collect()
}

/// Expected result of the W/D/L of a line, in half points per mille.
fn half_points(line: &str) -> i64 {
    let wdl: Vec<i64> = words(line, "wdl")[..3].iter().map(|word| word.parse().unwrap()).collect();
    2 * wdl[0] + wdl[1]
}

#[test]
fn ratings_change_printed_wdl_and_nothing_else() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    let position = format!("position fen {KIWIPETE}");
    let mut printed = |settings: &[&str]| {
        set(&mut engine, settings);
        at_fixed_nodes(&mut engine, &position)
    };
    let nominal = printed(&[]);
    let mut for_players = |white: u32, black: u32| {
        let (white, black) = (format!("WDL_WhiteElo value {white}"), format!("WDL_BlackElo value {black}"));
        let (rest, wdl) = printed(&[&white, &black]);
        assert_eq!(rest, nominal.0, "{white} {black}");
        wdl
    };
    assert_eq!(for_players(0, 0), nominal.1);
    let equal = for_players(2600, 2600);
    assert_ne!(equal, nominal.1);
    // One rating stands for both.
    assert_eq!(for_players(2600, 0), equal);
    assert_eq!(for_players(0, 2600), equal);
    let expected = |wdl: Vec<String>| half_points(wdl.last().unwrap());
    let series = [(2400, 2800), (2550, 2650), (2600, 2600), (2650, 2550), (2800, 2400)];
    let series = series.map(|(white, black)| expected(for_players(white, black)));
    assert!(series.is_sorted() && series[0] + 400 < series[4], "{series:?}");
    // It is White's rating that counts for White, whoever is to move.
    let black = KIWIPETE.replace(" w ", " b ");
    let mut of_black = |white: &str| {
        set(&mut engine, &[white, "WDL_BlackElo value 2600"]);
        expected(at_fixed_nodes(&mut engine, &format!("position fen {black}")).1)
    };
    assert!(of_black("WDL_WhiteElo value 2400") > of_black("WDL_WhiteElo value 2800"));
}

#[test]
fn clocks_count_where_asked_for_in_fast_games() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    let mut expected = |options: [&str; 2], white: u32, black: u32| {
        set(&mut engine, &["WDL_WhiteElo value 2000", options[0], options[1]]);
        engine.ask("ucinewgame");
        engine.ask(&format!("position fen {KIWIPETE}"));
        let go = format!("go nodes 1000 wtime {white} btime {black} winc 0 binc 0");
        let lines = engine.search(&go);
        half_points(lines.iter().rfind(|line| line.contains(" wdl ")).unwrap())
    };
    let (on, off) = ("WDL_Clocks value true", "WDL_Clocks value false");
    let blitz = "WDL_TimeControl value blitz";
    let without = expected([blitz, off], 9000, 90_000);
    assert_eq!(without, expected([blitz, off], 90_000, 9000));
    assert_eq!(without, expected([blitz, on], 60_000, 60_000));
    assert!(expected([blitz, on], 9000, 90_000) + 100 < without);
    assert!(expected([blitz, on], 90_000, 9000) > without);
    let classical = "WDL_TimeControl value classical";
    assert_eq!(expected([classical, on], 9000, 90_000), expected([classical, off], 9000, 90_000));
}

#[test]
fn lines_are_printed_in_their_order() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    engine.ask("setoption name MultiPV value 5");
    for (index, fen) in positions(24).iter().enumerate() {
        set(&mut engine, SETTINGS[index % SETTINGS.len()]);
        engine.ask("ucinewgame");
        engine.ask(&format!("position fen {fen}"));
        let lines = engine.search("go depth 8");
        let scored: Vec<_> = lines.iter().filter(|line| line.contains(" score ")).collect();
        assert!(scored.len() >= 8, "{fen}");
        for pair in scored.windows(2).filter(|pair| number(pair[1], "multipv") == number(pair[0], "multipv") + 1) {
            let score = |line: &str| (words(line, "score")[0].to_owned(), number(line, words(line, "score")[0]));
            let (better, worse) = (score(pair[0]), score(pair[1]));
            assert!(better.0 != worse.0 || better.0 == "mate" || better.1 >= worse.1, "{fen}: {pair:#?}");
            assert!(half_points(pair[0]) >= half_points(pair[1]), "{fen}: {pair:#?}");
        }
    }
}

#[test]
fn an_evaluation_is_told_as_a_search_of_one_node_prints_it() {
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    for (index, fen) in positions(16).iter().enumerate() {
        set(&mut engine, SETTINGS[index % SETTINGS.len()]);
        engine.ask("ucinewgame");
        engine.ask(&format!("position fen {fen}"));
        let eval = engine.ask("eval");
        if eval.iter().any(|line| line.contains("in check")) {
            continue;
        }
        let lines = engine.search("go nodes 1");
        let words = words(last_score(&lines), "multipv");
        let printed = words[1..].iter().take_while(|word| **word != "nodes").copied().collect::<Vec<_>>().join(" ");
        assert!(eval[0].starts_with(&format!("{printed}, for ")), "{fen}: {}", eval[0]);
    }
}
