use super::*;
use crate::position::{GameHistory, Position};
use crate::printing::{Pace, Profiles, TimeClass, WdlFor};
use proptest::prelude::*;
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
            assert_eq!(stopped.done(), if limit == 3 { 0 } else { 5 }, "whole games");
            stops += 1;
        }
    }
    assert_eq!((stops, stopped.done()), (2, stopped.positions()));
    assert_eq!(lines(&stopped), lines(&whole));
}

/// The only game of a text, unless something is wrong with it.
fn only_game(text: &str) -> Option<Source> {
    let input = read("x", text.as_bytes(), &Selection::default(), false).ok()?;
    let is_good = input.faults.is_empty() && input.warnings.is_empty() && input.sources.len() == 1;
    if is_good { input.sources.into_iter().next() } else { None }
}

/// The game, annotated; `None` if it is not the only one of a text without faults.
fn annotated(text: &str) -> Option<(Source, String)> {
    let (source, options) = (only_game(text)?, options(1));
    let mut analysis = Analysis::new(vec![source], &options, []).unwrap();
    Analyser::new(options).unwrap().run(&mut analysis, &mut |_| ControlFlow::Continue(())).unwrap();
    let pgn = annotated_pgn(analysis.sources().next().unwrap(), &analysis.report(0).unwrap());
    Some((only_game(text)?, pgn))
}

#[test]
fn what_variations_hold_can_be_read_again() {
    for (variation, expected) in [
        ("1... c5 })", "(1... c5)"),
        ("1... c5 }2. Nf3 }} d6)", "(1... c5 2. Nf3 d6)"),
        ("})", "()"),
        ("1... c5 ( } 1... e6 }))", "(1... c5 (1... e6))"),
        ("1... c5 {a {b} c} ; d } {\n $ <x> %y [z ])", "(1... c5 {a (b) c} {d ) (} $ <x> %y [z ])"),
        ("1... c5 {a\n% b\n; c})", "(1... c5 {a\n% b\n; c})"),
    ] {
        let (source, pgn) = annotated(&format!("1. e4 e5 ({variation} 2. Nf3 *")).expect(variation);
        assert!(pgn.contains(expected), "{pgn}");
        assert_eq!(only_game(&pgn).map(|game| game.moves), Some(source.moves), "{pgn}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn annotated_games_can_be_read_again(
        behind in prop::collection::vec((0..PIECES.len(), 0..3usize), 0..4),
        within in prop::collection::vec((0..PIECES.len(), 0..3usize), 0..8),
    ) {
        let text = |pieces: &[(usize, usize)]| -> String {
            pieces.iter().map(|&(piece, end)| format!("{}{}", PIECES[piece], ["", " ", "\n"][end])).collect()
        };
        let pgn = format!("[White \"x\"]\n\n1. e4 {} e5 (1... c5 {} 2. c3) 2. Nf3 *\n", text(&behind), text(&within));
        if let Some((source, pgn)) = annotated(&pgn) {
            prop_assert_eq!(only_game(&pgn).map(|game| game.moves), Some(source.moves), "{}", pgn);
        }
    }
}

/// Parts of games that may stand between moves.
const PIECES: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    "{x}",
    "{}",
    ";",
    "; a\n",
    "%",
    "% b\n",
    "$",
    "$7",
    "<",
    ">",
    "[",
    "]",
    "[A \"b\"]",
    "1.",
    "c4",
    "!",
    "*",
    "1-0",
    "\n\n",
    "\u{e9}",
];

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
fn who_stops_a_search_that_has_just_ended_stops_the_analysis() {
    let options = options(1);
    let mut analyser = Analyser::new(options.clone()).unwrap();
    let mut whole = analysis(&options);
    analyser.run(&mut whole, &mut |_| ControlFlow::Continue(())).unwrap();

    let mut stopped = analysis(&options);
    for _ in 0..3 {
        let result = analyser.run(&mut stopped, &mut |_| ControlFlow::Break(()));
        // The mate at the end of the game is not searched, so that nobody is asked there.
        assert!(matches!(result, Err(AnalysisError::Stopped)) && stopped.done() <= 2, "{}", stopped.done());
    }
    analyser.run(&mut stopped, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(lines(&stopped), lines(&whole));

    let game = GameHistory::new(Position::default());
    let result = analyser.position_watched(&game, &WdlFor::Nominal, &mut |_| ControlFlow::Break(()));
    assert!(matches!(result, Err(AnalysisError::Stopped)));
    let reply = analyser.answer_watched("{\"id\": 9}", &mut |_| ControlFlow::Break(())).unwrap();
    assert_eq!(reply.json, "{\"id\":9,\"error\":\"the search was stopped\"}");
    assert!(!reply.is_answered);
}

#[test]
fn a_stop_behind_the_last_search_leaves_nothing_to_do() {
    let options = options(1);
    let mut analyser = Analyser::new(options.clone()).unwrap();
    let input = read("x", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".as_bytes(), &Selection::default(), false).unwrap();
    let mut analysis = Analysis::new(input.sources, &options, []).unwrap();
    let mut batch = analysis.next_batch().unwrap();
    let mut searcher = Searcher::new(&options.search).unwrap();
    let search = || {
        while let Some(searched) = batch.step(&mut searcher, &mut |_| ControlFlow::Continue(())) {
            analysis.add(searched.unwrap());
        }
        analysis.give_back(batch);
    };
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(crate::search::STACK_BYTES);
        builder.spawn_scoped(scope, search).unwrap();
    });
    assert!(analysis.waiting() == 0 && analysis.reports().is_some());
    analyser.run(&mut analysis, &mut |_| ControlFlow::Break(())).unwrap();
}

#[test]
fn a_watch_that_panics_ends_the_search() {
    let mut options = options(1);
    (options.search.nodes, options.search.depth) = (None, Some(100));
    let mut analyser = Analyser::new(options).unwrap();
    let game = GameHistory::new(Position::default());
    let watched = std::panic::AssertUnwindSafe(|| {
        analyser.position_watched(&game, &WdlFor::Nominal, &mut |_| panic!("a panic of the test"))
    });
    assert!(std::panic::catch_unwind(watched).is_err());
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
fn options_of_any_size_are_analysed_with() {
    let mut options = options(20);
    (options.search.depth, options.people) = (Some(usize::MAX), true);
    options.search.multi_pv = usize::MAX;
    (options.players.white_elo, options.players.black_elo) = (Some(u32::MAX), Some(0));
    let report = Analyser::new(options).unwrap().game("1. f3 e5 2. g4 Qh4# 0-1").unwrap();
    assert!(report.wdl_for.starts_with("White rated 10000 against Black rated 1 in"), "{}", report.wdl_for);
    let no_time = Pace { class: TimeClass::Blitz, seconds: f64::NAN };
    let ten_minutes = Pace { seconds: 600.0, ..no_time };
    let profiles = Profiles::shipped();
    assert_eq!(profiles.at(f64::NAN, no_time), profiles.at(1600.0, ten_minutes));
    let ratings = crate::printing::Ratings { white: Some(0), black: Some(u32::MAX) };
    let wdl_for = ratings.wdl_for(&profiles, no_time).unwrap();
    let mut analyser = Analyser::new(self::options(100)).unwrap();
    for fen in ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1"] {
        let game = GameHistory::new(Position::from_fen(fen, false).unwrap());
        assert_eq!(analyser.position(&game, &wdl_for).unwrap().wdl.iter().sum::<u32>(), 1000);
    }
}

#[test]
fn annotated_games_of_chess960_say_so() {
    let fen = "1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GBgb - 0 1";
    for variant in ["Standard", "From Position", "?", ""] {
        let text = format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n1. O-O Ke7 *\n");
        let sources = read("x", text.as_bytes(), &Selection::default(), true).unwrap().sources;
        let mut analysis = Analysis::new(sources, &options(1), []).unwrap();
        Analyser::new(options(1)).unwrap().run(&mut analysis, &mut |_| ControlFlow::Continue(())).unwrap();
        let pgn = annotated_pgn(analysis.sources().next().unwrap(), &analysis.report(0).unwrap());
        let again = read("x", pgn.as_bytes(), &Selection::default(), false).unwrap();
        assert_eq!((again.sources.len(), again.faults), (1, Vec::new()), "{pgn}");
    }
}

#[test]
fn nodes_limit_what_nothing_else_does() {
    let mut options = options(20);
    options.search.nodes = None;
    assert_eq!(options.search.limits().nodes, Some(SearchOptions::DEFAULT_NODES));
    options.search.depth = Some(3);
    assert_eq!(options.search.limits().nodes, None);
}

#[test]
fn games_go_on_after_they_are_over() {
    let mut options = AnalysisOptions { people: true, ..options(200) };
    (options.players.white_elo, options.players.black_elo) = (Some(1500), Some(1500));
    let bare_kings = "[FEN \"8/8/8/4k3/8/8/4pK2/8 w - - 0 1\"]\n\n1. Kxe2 Ke4 2. Kd2 Kd4 1/2-1/2";
    let report = Analyser::new(options).unwrap().game(bare_kings).unwrap();
    let has_people: Vec<bool> = report.analysis.iter().map(|played| played.people.is_some()).collect();
    assert_eq!(has_people, [true, false, false, false]);
}

#[test]
fn a_crew_has_a_thread_at_least() {
    let options = options(20);
    let mut analysis = analysis(&options);
    let mut crew = Crew::start(&mut analysis, &options.search, 0).unwrap();
    while let Some(searched) = crew.wait() {
        analysis.add(searched);
    }
    assert!(analysis.reports().is_some());
}

#[test]
fn debug_texts_are_short() {
    let options = options(1);
    let mut analysis = analysis(&options);
    let texts = [
        format!("{options:?}"),
        format!("{analysis:?}"),
        format!("{:?}", Crew::start(&mut analysis, &options.search, 1).unwrap()),
        format!("{:?}", Searcher::new(&options.search).unwrap()),
        format!("{:?}", Analyser::new(options).unwrap()),
        format!("{:?}", StaticWdl::new(WdlFor::Nominal)),
    ];
    assert!(texts.iter().all(|text| text.len() < 600), "{texts:#?}");
    assert!(texts[1].starts_with("Analysis { games: 2, waiting: 2, "), "{}", texts[1]);
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
