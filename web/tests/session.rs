//! The page's requests and their answers, natively.

use halfpoint::analysis::{
    Analyser, AnalysisOptions, GameReport, Selection, annotated_pgn, html_page, page_entry, page_frame, read,
};
use halfpoint::position::Position;
use halfpoint::search::STACK_BYTES;
use halfpoint_web::Session;
use serde_json::{Value, json};
use std::thread;

const MATE: &str = "[White \"a\"]\n[WhiteElo \"1500\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
const BROKEN: &str = "[White \"b\"]\n\n1. e4 Ke7 *\n";
const SHORT: &str = "1. d4 d5 *\n";
/// The short game with gzip.
const PACKED: &[u8] =
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x033\xd4SH1QH1U\xd0\xe2\x02\x00\x0e\x04\x93B\x0b\x00\x00\x00";

/// All three in a file.
fn games() -> String {
    [MATE, BROKEN, SHORT].join("\n")
}

/// Runs with the stack that searches need.
fn with_stack(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(STACK_BYTES).spawn(run).unwrap().join().unwrap();
}

/// The answer to a request with data.
fn ask(session: &mut Session, request: &Value, data: impl AsRef<[u8]>) -> Value {
    let bytes = [format!("{request}\n").as_bytes(), data.as_ref()].concat();
    serde_json::from_str(&session.answer(&bytes, &mut |_| {})).unwrap()
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
    let answer = ask(&mut session, &json!({"do": "read", "name": "games.pgn"}), games());
    assert_eq!(answer["games"].as_array().map(Vec::len), Some(2));
    let first = &answer["games"][0];
    assert_eq!((&first["white"], &first["whiteElo"], &first["positions"]), (&json!("a"), &json!(1500), &json!(5)));
    assert!(answer["faults"][0].as_str().unwrap().starts_with("games.pgn: game 2, line 8: move 1... Ke7 is illegal"));
    let nothing = ask(&mut session, &json!({"do": "read", "name": "games.pgn"}), "");
    assert_eq!(nothing["error"], "games.pgn: is empty");
}

#[test]
fn packed_games_are_known_by_their_content() {
    let mut session = Session::default();
    let mut read = |name: &str, data: &[u8]| ask(&mut session, &json!({"do": "read", "name": name}), data);
    let games = |answer: &Value| answer["games"].as_array().map(Vec::len);
    for name in ["games.pgn", "games.pgn.GZ"] {
        // Each file behind another is a member of gzip.
        assert_eq!(games(&read(name, &PACKED.repeat(2))), Some(2), "{name}");
    }
    assert_eq!(games(&read("games.pgn.gz", SHORT.as_bytes())), Some(1));
    let cut = read("games.pgn.gz", &[PACKED, &PACKED[..PACKED.len() - 1]].concat());
    assert_eq!(games(&cut), Some(2));
    assert_eq!(cut["faults"], json!(["games.pgn.gz: the rest of it cannot be read: the gzip data end early"]));
    assert_eq!(read("games.pgn.gz", &PACKED[..9])["error"], "games.pgn.gz: the gzip data end early");
}

#[test]
fn reports_and_their_files_are_those_of_the_library() {
    with_stack(|| {
        let mut session = Session::default();
        ask(&mut session, &json!({"do": "read", "name": "games.pgn"}), games());
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
        ask(&mut session, &json!({"do": "read", "name": "games.pgn"}), games());
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
        let fen = Position::default().fen();
        let data = json!({"fen": fen, "moves": [], "chess960": false, "nodes": 3000, "multipv": 3, "whiteElo": 1500});
        let request = format!("{}\n{data}", json!({"do": "search"}));
        let last = session.answer(request.as_bytes(), &mut |text| told.push(text.to_owned()));
        assert!(told.len() > 3, "{} answers before the last", told.len());
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        // What people play comes once, behind some of the lines.
        let people: Vec<_> = (0..told.len()).filter(|&index| parse(&told[index]).get("people").is_some()).collect();
        assert!(people.len() == 1 && people[0] > 3, "{people:?} of {}", told.len());
        told.remove(people[0]);
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

/// What people play in a position after moves, as a search tells it.
fn people(position: Value, control: Option<&str>) -> Option<Value> {
    let (mut session, mut told) = (Session::default(), Vec::new());
    let mut data = json!({"moves": [], "chess960": false, "nodes": 1});
    data.as_object_mut().unwrap().extend(position.as_object().unwrap().clone());
    let request = format!("{}\n{data}", json!({"do": "search", "control": control}));
    session.answer(request.as_bytes(), &mut |text| told.push(serde_json::from_str::<Value>(text).unwrap()));
    told.into_iter().find_map(|answer| answer.get("people").cloned())
}

#[test]
fn people_are_those_of_the_rating_and_time_control_of_who_moves() {
    with_stack(|| {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
        let of = |more: Value, control: Option<&str>| {
            let mut position = json!({"fen": fen});
            position.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            people(position, control)
        };
        let known = of(json!({"blackElo": 1200, "timeControl": "blitz"}), None).unwrap();
        assert_eq!((&known["elo"], &known["class"]), (&json!(1200.0), &json!("blitz")));
        let number = |people: &Value, name: &str| people[name].as_f64().unwrap();
        assert!(number(&known, "mistake") >= number(&known, "blunder") && number(&known, "expectedLoss") > 0.02);
        let moves = known["moves"].as_array().unwrap();
        assert_eq!((moves.len(), &moves[0]["uci"], &moves[0]["san"]), (5, &json!("g7g6"), &json!("g6")));
        assert!(moves.windows(2).all(|two| number(&two[0], "share") >= number(&two[1], "share")));
        // By the player to move, or else by the opponent; ratings that the model does not know are moved into its range.
        let elo = |more: Value| of(more, None).unwrap()["elo"].clone();
        assert_eq!(elo(json!({"whiteElo": 2000, "blackElo": 1200})), 1200.0);
        assert_eq!(elo(json!({"whiteElo": 2000})), 2000.0);
        assert_eq!((elo(json!({"blackElo": 1})), elo(json!({"blackElo": 4000}))), (json!(400.0), json!(3000.0)));
        let strong = of(json!({"blackElo": 2400, "timeControl": "blitz"}), None).unwrap();
        assert!(number(&strong, "blunder") < 0.5 * number(&known, "blunder"));
        // A time control counts in its class.
        let blitz = |control| of(json!({"blackElo": 1200, "timeControl": "blitz"}), Some(control)).unwrap();
        assert_eq!((blitz("240+0"), blitz("900+10"), blitz("-")), (known.clone(), known.clone(), known.clone()));
        assert_ne!(blitz("300+3"), known);
    });
}

#[test]
fn people_need_a_rating_and_a_move() {
    with_stack(|| {
        let rated = |fen: &str| people(json!({"fen": fen, "whiteElo": 1500, "blackElo": 1500}), None);
        assert!(people(json!({"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}), None).is_none());
        for over in
            ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/8/6K1/8/8/8/8/8 b - - 0 1", "x"]
        {
            assert!(rated(over).is_none(), "{over}");
        }
        // The only move is no choice.
        let only = rated("7k/8/6KQ/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!((&only["mistake"], &only["moves"][0]["share"]), (&json!(0.0), &json!(1.0)));
        let castling = json!({
            "fen": "rnbqk2r/ppppbppp/5n2/4p3/4P3/3B1N2/PPPP1PPP/RNBQK2R w HAha - 0 1", "chess960": true, "whiteElo": 1500,
        });
        let castles = |m: &Value| m["uci"] == "e1h1" && m["san"] == "O-O";
        assert!(people(castling, None).unwrap()["moves"].as_array().unwrap().iter().any(castles));
        // Retakes are seen: the move before counts.
        let start = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let after = json!({"fen": start, "moves": ["e4d5"], "whiteElo": 1500});
        let alone = json!({"fen": "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", "whiteElo": 1500});
        let share = |position| {
            let people = people(position, None).unwrap();
            let is_retake = |m: &&Value| m["uci"] == "d8d5";
            people["moves"].as_array().unwrap().iter().find(is_retake).unwrap()["share"].as_f64().unwrap()
        };
        assert!(share(after) > share(alone));
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
