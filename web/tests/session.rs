//! The page's requests and their answers, natively.

use halfpoint::analysis::{
    Analyser, AnalysisOptions, GameReport, Selection, annotated_pgn, html_page, page_entry, page_frame, read,
};
use halfpoint::search::STACK_BYTES;
use halfpoint_web::Session;
use serde_json::{Value, json};
use std::thread;

const MATE: &str = "[White \"a\"]\n[WhiteElo \"1500\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
const BROKEN: &str = "[White \"b\"]\n\n1. e4 Ke7 *\n";
const SHORT: &str = "1. d4 d5 *\n";

/// All three in a file.
fn games() -> String {
    [MATE, BROKEN, SHORT].join("\n")
}

/// Runs with the stack that searches need.
fn with_stack(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK_BYTES).spawn(run).unwrap().join().unwrap();
}

/// The answer to a request with data.
fn ask(session: &mut Session, request: &Value, data: &str) -> Value {
    let text = format!("{request}\n{data}");
    serde_json::from_str(&session.answer(text.as_bytes(), &mut |_| {})).unwrap()
}

/// The last answer to the steps of a game.
fn analyse(session: &mut Session, game: usize, options: &Value) -> Value {
    let begun = ask(session, &json!({"do": "begin", "game": game, "options": options}), "");
    assert_eq!(begun, json!({"done": 0}));
    loop {
        let answer = ask(session, &json!({"do": "step"}), "");
        if answer.get("done").is_none() {
            return answer;
        }
    }
}

#[test]
fn games_are_read_and_broken_ones_named() {
    let mut session = Session::default();
    let answer = ask(&mut session, &json!({"do": "read", "name": "games.pgn"}), &games());
    assert_eq!(answer["games"].as_array().map(Vec::len), Some(2));
    let first = &answer["games"][0];
    assert_eq!((&first["white"], &first["whiteElo"], &first["positions"]), (&json!("a"), &json!(1500), &json!(5)));
    assert!(answer["faults"][0].as_str().unwrap().starts_with("games.pgn: game 2, line 8: move 1... Ke7 is illegal"));
    let nothing = ask(&mut session, &json!({"do": "read", "name": "games.pgn"}), "");
    assert_eq!(nothing["error"], "games.pgn: is empty");
}

#[test]
fn reports_and_their_files_are_those_of_the_library() {
    with_stack(|| {
        let mut session = Session::default();
        ask(&mut session, &json!({"do": "read", "name": "games.pgn"}), &games());
        let mut options = AnalysisOptions::default();
        options.search.nodes = Some(500);
        options.search.multi_pv = 2;
        let input = read("games.pgn", games().as_bytes(), &Selection::default(), false).unwrap();
        let mut reports: Vec<GameReport> = Vec::new();
        let mut entries = Vec::new();
        for (index, source) in input.sources.iter().enumerate() {
            let answer = analyse(&mut session, index, &json!({"nodes": 500, "lines": 2}));
            let mut report = Analyser::new(options.clone()).unwrap().game([MATE, SHORT][index]).unwrap();
            report.number = source.number;
            assert_eq!(answer["json"], report.to_json_line());
            assert_eq!(answer["entry"], page_entry(&report));
            assert_eq!(answer["pgn"], annotated_pgn(source, &report));
            entries.push(answer["entry"].as_str().unwrap().to_owned());
            reports.push(report);
        }
        let frame = ask(&mut session, &json!({"do": "frame", "title": "games", "arePositions": false}), "");
        assert_eq!(frame["frame"], json!(page_frame(false, "games")));
        let page = format!(
            "{}{}{}",
            frame["frame"][0].as_str().unwrap(),
            entries.join(","),
            frame["frame"][1].as_str().unwrap()
        );
        assert_eq!(page, html_page(&reports, false, "games"));
    });
}

#[test]
fn options_hold_for_all_or_where_a_game_does_not_tell() {
    with_stack(|| {
        let mut session = Session::default();
        ask(&mut session, &json!({"do": "read", "name": "games.pgn"}), &games());
        let mut said = |only_missing: bool| {
            let options = json!({"nodes": 100, "lines": 1, "whiteElo": 1800, "timeControl": "blitz", "onlyMissing": only_missing});
            let answer = analyse(&mut session, 0, &options);
            let report: Value = serde_json::from_str(answer["json"].as_str().unwrap()).unwrap();
            report["wdlFor"].clone()
        };
        assert_eq!(said(false), "players rated 1800 in blitz games");
        assert_eq!(said(true), "players rated 1500 in blitz games");
    });
}

#[test]
fn a_search_tells_its_lines_as_they_come() {
    with_stack(|| {
        let (mut session, mut told) = (Session::default(), Vec::new());
        let request = "{\"do\": \"search\"}\n{\"nodes\": 3000, \"multipv\": 3, \"whiteElo\": 1500}";
        let last = session.answer(request.as_bytes(), &mut |text| told.push(text.to_owned()));
        assert!(told.len() > 3, "{} answers before the last", told.len());
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        for answer in told.iter().map(|text| parse(text)) {
            assert_eq!(answer["lines"].as_array().map(Vec::len), Some(3));
            assert!(
                answer["nodes"].as_u64() <= Some(3000) && answer["depth"].as_u64() <= parse(&last)["depth"].as_u64()
            );
        }
        let (before, last) = (parse(&told[told.len() - 1]), parse(&last));
        assert_eq!((&before["lines"], &before["wdl"]), (&last["lines"], &last["wdl"]));
        assert!(ask(&mut session, &json!({"do": "search"}), "{\"fen\": \"x\"}")["error"].is_string());
    });
}

#[test]
fn positions_tell_what_can_be_played() {
    let mut session = Session::default();
    let mut shown =
        |fen: &str, moves: &[&str]| ask(&mut session, &json!({"do": "position", "fen": fen, "moves": moves}), "");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let answer = shown(start, &["e2e4", "e7e5"]);
    assert_eq!((&answer["start"], &answer["sans"]), (&json!(start), &json!(["e4", "e5"])));
    assert_eq!(answer["choices"].as_array().map(Vec::len), Some(29));
    assert!(answer.get("result").is_none());
    let mate = shown(start, &["f2f3", "e7e5", "g2g4", "d8h4"]);
    assert_eq!((&mate["result"], &mate["choices"], &mate["sans"][3]), (&json!("0-1"), &json!([]), &json!("Qh4#")));
    let chess960 = shown("4k3/8/8/8/8/8/8/RK5R w HA - 0 1", &["b1h1"]);
    assert_eq!((&chess960["chess960"], &chess960["sans"]), (&json!(true), &json!(["O-O"])));
    assert!(shown(start, &["e2e5"])["error"].is_string() && shown("x", &[])["error"].is_string());
}

#[test]
fn what_is_no_request_is_an_error() {
    let mut session = Session::default();
    for request in [
        "",
        "x",
        "{}",
        "{\"do\": \"dance\"}",
        "{\"do\": \"step\"}",
        "{\"do\": \"begin\", \"game\": 0, \"options\": {\"nodes\": 1, \"lines\": 1}}",
    ] {
        let answer = session.answer(request.as_bytes(), &mut |_| {});
        assert!(serde_json::from_str::<Value>(&answer).unwrap()["error"].is_string(), "{request}: {answer}");
    }
}
