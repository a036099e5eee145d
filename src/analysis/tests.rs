use super::*;
use crate::position::{GameHistory, Position};
use crate::printing::{Profiles, WdlFor};
use std::ops::ControlFlow;
use std::time::Duration;

const GAMES: &str = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *\n";

fn options(nodes: u64) -> AnalysisOptions {
    let mut options = AnalysisOptions::default();
    (options.search.nodes, options.search.hash_mib) = (Some(nodes), 1);
    options
}

fn analysis(options: &AnalysisOptions) -> Analysis {
    let input = read("x", GAMES.as_bytes(), &Selection::default(), false).unwrap();
    Analysis::new(input.sources, options, []).unwrap()
}

fn lines(analysis: &Analysis) -> Vec<String> {
    analysis.reports().unwrap().iter().map(GameReport::to_json_line).collect()
}

#[test]
fn a_stopped_analysis_goes_on_to_the_same_reports() {
    let options = options(300);
    let mut analyser = Analyser::new(options.clone()).unwrap();
    let mut whole = analysis(&options);
    analyser.run(&mut whole, &mut |_| ControlFlow::Continue(())).unwrap();

    let mut stopped = analysis(&options);
    let mut stops = 0;
    // The first game has five positions: 3 is in the middle of it, 7 of the second.
    for limit in [3, 7, usize::MAX] {
        let result = analyser.run(&mut stopped, &mut |progress| {
            assert_eq!(progress.positions, whole.positions());
            if progress.done >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if limit < usize::MAX {
            assert!(matches!(result, Err(AnalysisError::Stopped)));
            assert!(stopped.reports().is_none());
            stops += 1;
        }
    }
    assert_eq!((stops, stopped.done()), (2, stopped.positions()));
    assert_eq!(lines(&stopped), lines(&whole));
}

#[test]
fn known_searches_are_not_done_again() {
    let options = options(300);
    let mut first = analysis(&options);
    let mut known = Vec::new();
    let mut searcher = Searcher::new(&options.search).unwrap();
    let search = || {
        while let Some(mut batch) = first.next_batch() {
            while let Some(searched) = batch.step(&mut searcher, &mut |_| ControlFlow::Continue(())) {
                known.push(searched.clone().unwrap());
                first.add(searched.unwrap());
            }
        }
    };
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(crate::search::STACK_BYTES);
        builder.spawn_scoped(scope, search).unwrap();
    });
    let sources = || read("x", GAMES.as_bytes(), &Selection::default(), false).unwrap().sources;
    let again = Analysis::new(sources(), &options, known.clone()).unwrap();
    assert_eq!((again.waiting(), again.done()), (0, again.positions()));
    assert_eq!(lines(&again), lines(&first));
    // A game of which one search is missing is done as a whole; what no game has is ignored.
    let other = Searched { game: 7, ply: 0, found: Found::default() };
    let missing = known.iter().filter(|searched| (searched.game, searched.ply) != (1, 9)).cloned().chain([other]);
    let again = Analysis::new(sources(), &options, missing).unwrap();
    assert_eq!((again.waiting(), again.done()), (1, 5));
}

#[test]
fn a_crew_that_was_stopped_goes_on_to_the_same_reports() {
    let options = options(300);
    let mut whole = analysis(&options);
    Analyser::new(options.clone()).unwrap().run(&mut whole, &mut |_| ControlFlow::Continue(())).unwrap();

    let mut stopped = analysis(&options);
    let mut crew = Crew::start(&mut stopped, &options.search, 3).unwrap();
    stopped.add(crew.wait().unwrap());
    crew.stop(&mut stopped);
    let mut crew = Crew::start(&mut stopped, &options.search, 1).unwrap();
    while let Some(searched) = crew.wait() {
        stopped.add(searched);
    }
    assert_eq!(lines(&stopped), lines(&whole));
    assert!(crew.wait_within(Duration::ZERO).is_break() && stopped.waiting() == 0);
}

#[test]
fn a_crew_in_a_long_search_is_stopped() {
    let mut options = options(1);
    options.search.nodes = None;
    options.search.depth = Some(100);
    let mut analysis = analysis(&options);
    let mut crew = Crew::start(&mut analysis, &options.search, 2).unwrap();
    while crew.wait_within(Duration::from_millis(1)).is_break() {}
    crew.stop(&mut analysis);
    assert!((1..=2).contains(&analysis.waiting()) && analysis.reports().is_none());
}

#[test]
fn a_long_search_stops_soon() {
    let mut options = options(1);
    options.search.nodes = None;
    options.search.depth = Some(100);
    let mut analyser = Analyser::new(options).unwrap();
    let game = GameHistory::new(Position::default());
    let mut calls = 0;
    let result = analyser.position_watched(&game, &WdlFor::Nominal, &mut |_| {
        calls += 1;
        if calls > 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(matches!(result, Err(AnalysisError::Stopped)) && calls > 3, "{calls}");
}

#[test]
fn wdl_are_for_the_players() {
    let mut analyser = Analyser::new(options(2000)).unwrap();
    let position = Position::from_fen("4k3/pppp4/8/8/8/8/PPPPP3/4K3 w - - 0 1", false).unwrap();
    let game = GameHistory::new(position);
    let club = WdlFor::named("club-rapid", &Profiles::shipped()).unwrap();
    let [own, theirs] = [WdlFor::Nominal, club].map(|wdl_for| analyser.position(&game, &wdl_for).unwrap());
    assert_eq!((own.wdl, own.eval), (own.nominal, theirs.eval));
    assert_eq!(own.nominal, theirs.nominal);
    assert_ne!(own.wdl, theirs.wdl);
}

#[test]
fn what_cannot_be_analysed_is_named() {
    let mut analyser = Analyser::new(options(100)).unwrap();
    for (text, message) in [
        (
            "1. e4 Ke5 *",
            "game 1, line 1: move 1... Ke5 is illegal in 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'",
        ),
        ("", "is empty"),
        ("hello", "neither games in PGN nor positions in FEN or EPD"),
    ] {
        assert_eq!(analyser.game(text).unwrap_err().to_string(), message);
    }
    let report = analyser.game("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
    assert_eq!((report.start.mate, report.analysis.len()), (Some(1), 0));
    let mut unknown = options(100);
    unknown.players.profile = Some("x".to_owned());
    assert!(matches!(Analyser::new(unknown), Err(AnalysisError::Profile(_))));
}

#[test]
fn what_was_chosen_and_is_not_there_is_named() {
    let warnings =
        |chosen: &str, text: &str| read("x", text.as_bytes(), &chosen.parse().unwrap(), false).unwrap().warnings;
    let games = "1. e4 *\n\n1. d4 *\n";
    assert_eq!(warnings("2,99", games), ["x: there is no game 99: the last is 2"]);
    assert_eq!(warnings("1-5", games), [] as [&str; 0]);
    let lines = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";
    assert_eq!(warnings("1,3-", lines), ["x: there is no position 3: the last is 1"]);
    assert!(read("x", games.as_bytes(), &"7".parse().unwrap(), false).is_err());
}

#[test]
fn requests_are_answered() {
    let mut analyser = Analyser::new(options(100)).unwrap();
    let reply = analyser.answer("{\"id\": 7, \"moves\": \"f2f3 e7e5 g2g4\"}").unwrap();
    assert!(
        reply.is_answered && reply.json.contains("\"id\":7") && reply.json.contains("\"best\":\"d8h4\""),
        "{reply:?}"
    );
    let reply = analyser.answer("{\"moves\": \"f2f3 e7e5 g2g4\", \"multipv\": 256}").unwrap();
    let answer: serde_json::Value = serde_json::from_str(&reply.json).unwrap();
    let lost = |line: &serde_json::Value| line["lost"]["total"].as_f64().unwrap();
    let lost: Vec<f64> = answer["lines"].as_array().unwrap().iter().map(lost).collect();
    assert!(lost.len() == 30 && lost[0] == 0.0 && lost[1] > 0.3 && lost[29] > lost[1], "{lost:?}");
    let reply = analyser.answer("{\"id\": 8, \"moves\": \"e2e5\"}").unwrap();
    assert!(!reply.is_answered && reply.json.starts_with("{\"id\":8,\"error\":"), "{reply:?}");
}
