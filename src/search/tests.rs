use super::time::RootStability;
use super::*;
use crate::clock::Instant;
use crate::eval::Weights;
use crate::params::NumberTable;
use crate::position::{GameHistory, Move, Position};
use crate::wdl::score::{Kind, Score};
use proptest::prelude::*;
#[cfg(feature = "syzygy")]
use std::sync::Arc;
use std::time::Duration;

fn pool(threads: usize) -> Pool {
    Pool::new(Weights::shipped(), 8, threads).unwrap()
}

fn game(fen: &str) -> GameHistory {
    GameHistory::new(Position::from_fen(fen, false).unwrap())
}

fn search(fen: &str, limits: &Limits) -> (Answer, String) {
    let game = game(fen);
    let answer = pool(1).search(&game, limits, &Settings::default(), &Signals::new(), &mut |_| ());
    let text = answer.best.map(|m| game.position().format_move(m, false)).unwrap_or_default();
    (answer, text)
}

fn depth(depth: usize) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

#[test]
fn mates_are_found_with_their_distance() {
    let (answer, text) = search("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", &depth(4));
    assert_eq!((text.as_str(), answer.score.kind()), ("a1a8", Kind::Mate(1)));
    let (answer, _) = search("8/8/8/8/8/1k6/7r/K7 b - - 0 1", &depth(4));
    assert_eq!(answer.score.kind(), Kind::Mate(1));
    // For either side.
    for (fen, plies) in [("8/8/8/8/8/1k6/7r/K7 b - - 0 1", 1), ("8/8/8/8/8/1k6/7r/K7 w - - 0 1", -2)] {
        let (answer, _) = search(fen, &Limits { mate: Some(1), ..Limits::default() });
        assert_eq!(answer.score.kind(), Kind::Mate(plies));
    }
    let (answer, _) = search("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", &depth(10));
    assert_eq!(answer.score.kind(), Kind::Mate(3));
}

#[test]
fn the_answer_has_the_score_of_the_last_report() {
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    let mut pool = pool(1);
    for nodes in (1000..6000).step_by(250) {
        let mut last = None;
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let answer = pool.search(&game, &limits, &Settings::default(), &Signals::new(), &mut |event| {
            if let Event::Report(report) = event {
                last = Some(report.score);
            }
        });
        assert_eq!(Some(answer.score), last, "{nodes} nodes");
    }
}

#[test]
fn a_report_that_panics_ends_the_search_of_all_threads() {
    let mut pool = pool(2);
    let search = std::panic::AssertUnwindSafe(|| {
        pool.search(&GameHistory::default(), &depth(100), &Settings::default(), &Signals::new(), &mut |_| {
            panic!("a panic of the test")
        })
    });
    assert!(std::panic::catch_unwind(search).is_err());
}

#[test]
fn limits_of_any_size_are_searched_with() {
    let clock = |remaining, increment| Clock { remaining, increment, moves_to_go: None };
    for (limits, move_overhead) in [
        (Limits { clock: Some(clock(Duration::MAX, Duration::MAX)), ..depth(2) }, Duration::MAX),
        (Limits { clock: Some(clock(Duration::from_secs(1), Duration::MAX)), ..depth(2) }, Duration::ZERO),
        (Limits { clock: Some(clock(Duration::MAX, Duration::ZERO)), ..depth(2) }, Duration::from_millis(10)),
        (Limits { move_time: Some(Duration::MAX), ..depth(2) }, Duration::ZERO),
        (Limits { mate: Some(usize::MAX), depth: Some(usize::MAX), ..Limits::default() }, Duration::MAX),
    ] {
        let mut limits = Limits { nodes: Some(100_000), ..limits };
        limits.opponent_clock = limits.clock;
        let settings = Settings {
            move_overhead,
            ponders: true,
            uses_clock_lead: true,
            multi_pv: usize::MAX,
            ..Settings::default()
        };
        let game = game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
        let answer = pool(1).search(&game, &limits, &settings, &Signals::new(), &mut |_| ());
        assert_eq!(answer.score.kind(), Kind::Mate(1), "{limits:?}");
    }
}

#[test]
fn what_was_spent_before_counts() {
    let search = |limits: Limits| {
        let mut first = None;
        let game = GameHistory::default();
        let answer = pool(1).search(&game, &limits, &Settings::default(), &Signals::new(), &mut |event| {
            if let Event::Report(report) = event {
                first.get_or_insert((report.nodes, report.elapsed));
            }
        });
        (answer.nodes, first.unwrap())
    };
    let spent = Spent { nodes: 600, time: Duration::from_secs(5) };
    let (nodes, first) = search(Limits { nodes: Some(1000), spent, ..Limits::default() });
    assert_eq!(nodes, 1000);
    assert!(first.0 > spent.nodes && first.1 >= spent.time, "{first:?}");
    let (nodes, _) = search(Limits { move_time: Some(spent.time), spent, ..Limits::default() });
    assert!(nodes < 2000, "no time is left: {nodes}");
    let soft = |overhead| {
        let settings = Settings { move_overhead: Duration::from_millis(overhead), ..Settings::default() };
        Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() }.soft_time(&settings)
    };
    assert_eq!([0, 30].map(soft), [100, 70].map(|time| Some(Duration::from_millis(time))));
}

/// Also where a claim of the fifty-move rule is weighed before the search.
#[cfg(feature = "syzygy")]
#[test]
fn missing_distances_are_computed_for_a_share_of_the_time() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KRvKB.rtbw", "KRvK.rtbw", "KBvK.rtbw"] {
        let from = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy").join(name);
        std::fs::copy(from, folder.path().join(name)).unwrap();
    }
    for fen in ["8/8/4k3/8/3b4/8/8/K2R4 w - - 99 150", "8/8/4k3/8/3b4/8/8/K2R4 w - - 100 150"] {
        let tables = Arc::new(crate::tablebase::Tables::open(folder.path().as_os_str()));
        let (mut pool, game) = (pool(1), game(fen));
        pool.set_syzygy(Some(Arc::clone(&tables)));
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
        assert!(pool.search(&game, &limits, &Settings::default(), &Signals::new(), &mut |_| ()).best.is_some());
        let moves = game.position().legal_moves();
        let ranking = tables.rank(&game.without_claim(), &moves, &Settings::default().syzygy, &|| false).unwrap();
        assert!(!ranking.by_distance, "{fen}");
    }
}

#[test]
fn where_a_draw_may_be_claimed_all_lines_are_shown() {
    for fen in ["4k3/8/8/3q4/4P3/8/8/4KR2 w - - 100 90", "8/8/3P4/8/8/3k4/5K2/8 w - - 100 51"] {
        let game = game(fen);
        let settings = Settings { multi_pv: 5, ..Settings::default() };
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let mut lines = [Score::INFINITE; 5];
        pool(1).search(&game, &limits, &settings, &Signals::new(), &mut |event| {
            if let Event::Report(report) = event {
                lines[report.line - 1] = report.score;
            }
        });
        assert!(lines[0] > Score::DRAW && lines[1..].iter().all(|&score| score == Score::DRAW), "{fen}: {lines:?}");
    }
}

#[test]
fn where_no_move_to_search_is_legal_all_are_searched() {
    let m = |text: &str| Position::default().parse_move(text).unwrap();
    let search = |search_moves: Vec<Move>| {
        let limits = Limits { search_moves, ..depth(3) };
        let answer = pool(1).search(
            &game("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            &limits,
            &Settings::default(),
            &Signals::new(),
            &mut |_| (),
        );
        (answer.best, answer.score, answer.nodes)
    };
    assert_eq!(search(vec![m("g1f3")]), search(Vec::new()));
    assert_eq!(search(vec![m("g1f3"), m("e2e3")]).0, Some(m("e2e3")));
}

#[test]
fn draws_are_certain_draws() {
    let stalemate_or_nothing = search("7k/5Q2/8/8/8/8/8/K6b w - - 99 80", &depth(3)).0;
    assert_eq!(stalemate_or_nothing.score, Score::DRAW);
    assert_eq!(search("8/8/4k3/8/8/3K4/8/5B2 w - - 0 1", &depth(5)).0.score.draw_probability(), 1.0);
    // Mate on the hundredth ply comes before the fifty-move rule.
    assert_eq!(search("7k/R7/6K1/8/8/8/8/8 w - - 99 80", &depth(3)).0.score.kind(), Kind::Mate(1));
}

#[test]
fn a_mate_by_the_hundredth_ply_is_found_with_what_other_clocks_left_in_the_table() {
    // Mate in two moves: three plies.
    let mut pool = pool(1);
    for clock in [60, 78, 90, 97, 98, 94, 99, 72, 97] {
        let game = game(&format!("7k/8/5K2/8/8/8/8/R7 w - - {clock} 80"));
        let answer = pool.search(&game, &depth(8), &Settings::default(), &Signals::new(), &mut |_| ());
        let expected = if clock + 3 <= 100 { Kind::Mate(3) } else { Kind::Heuristic };
        assert_eq!(answer.score.kind(), expected, "clock {clock}");
    }
}

#[test]
fn proofs_of_the_table_hold_only_where_the_fifty_move_rule_lets_them() {
    let position = |clock| Position::from_fen(&format!("4k3/4p3/8/8/8/8/4P3/R3K3 w - - {clock} 80"), false).unwrap();
    let ply = 4;
    let at = |score, clock| {
        let entry =
            TtEntry { m: Move::from_bits(77), score, bound: Some(Bound::Exact), depth: 30, eval: None, pv: false };
        entry.at_clock(&position(clock), ply)
    };
    for score in [Score::mate_in(ply + 25), Score::mated_in(ply + 25), Score::tablebase_win(ply + 25)] {
        assert!((0..=75).all(|clock| at(score, clock).score == score && at(score, clock).bound.is_some()));
        for clock in 76..80 {
            let doubtful = at(score, clock);
            assert!(doubtful.bound.is_none() && doubtful.m == Move::from_bits(77), "clock {clock}");
        }
        // From here on each clock has entries of its own.
        assert!((80..100).all(|clock| at(score, clock).score == score && at(score, clock).bound.is_some()));
    }
}

#[test]
fn nothing_is_thrown_away_where_a_draw_can_be_claimed() {
    let fen = "8/8/4k3/8/8/8/r7/4K2Q b - - 100 100";
    let answer = search(fen, &depth(6)).0;
    assert_eq!(answer.score, Score::DRAW);
    let after = game(fen).after(answer.best.unwrap());
    let is_attacked = |m: &Move| after.position().board().occupied().contains(m.to());
    assert!(!after.position().legal_moves().iter().any(is_attacked), "{:?}", answer.best);
}

#[test]
fn a_win_is_played_for_where_a_draw_can_be_claimed() {
    for (fen, best) in [("8/P5k1/8/8/8/8/8/K7 w - - 100 91", "a7a8q"), ("6k1/8/8/8/8/8/1r6/K6R w - - 120 91", "a1b2")] {
        let answer = search(fen, &depth(6)).0;
        assert_eq!(answer.best, Some(game(fen).position().parse_move(best).unwrap()), "{fen}");
        assert!(answer.score > Score::DRAW, "{fen}");
    }
    // A pawn move that wins nothing.
    let answer = search("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 100 91", &depth(6)).0;
    assert_eq!(answer.score, Score::DRAW);
}

#[test]
fn a_third_occurrence_is_seen_as_a_draw() {
    let mut game = game("6k1/8/8/8/8/5q2/8/Q5K1 w - - 0 1");
    for text in ["a1a2", "g8h8", "a2a1", "h8g8", "a1a2", "g8h8", "a2a1"] {
        let m = game.position().parse_move(text).unwrap();
        game.play(m);
    }
    let m = game.position().parse_move("h8g8").unwrap();
    let limits = Limits { depth: Some(1), search_moves: vec![m], ..Limits::default() };
    let answer = pool(1).search(&game, &limits, &Settings::default(), &Signals::new(), &mut |_| ());
    assert_eq!(answer.score, Score::DRAW);
}

#[test]
fn one_thread_is_repeatable_and_node_limits_are_exact() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let (a, b) = (search(fen, &limits).0, search(fen, &limits).0);
    assert_eq!((a.best, a.nodes, a.score), (b.best, b.nodes, b.score));
    assert_eq!(a.nodes, 20_000);
}

#[test]
fn lines_are_legal_to_the_end_and_distinct() {
    for threads in [1, 2] {
        for fen in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let game = game(fen);
            let settings = Settings { multi_pv: 3, ..Settings::default() };
            let mut first_moves = Vec::new();
            let answer = pool(threads).search(&game, &depth(8), &settings, &Signals::new(), &mut |event| {
                let Event::Report(report) = event else { return };
                let mut position = *game.position();
                for &m in report.pv {
                    assert!(position.legal_moves().contains(&m));
                    position = position.play(m);
                }
                // Slow searches report scores outside of the window too.
                if report.bound != Bound::Exact {
                    return;
                }
                assert_eq!(report.line, first_moves.len() % 3 + 1);
                first_moves.push(report.pv[0]);
            });
            // Other threads may have searched on after the last iteration; then it is reported again with all nodes.
            assert!(first_moves.len() == 24 || threads > 1 && first_moves.len() == 27, "{}", first_moves.len());
            for iteration in first_moves.chunks(3) {
                assert!(iteration[0] != iteration[1] && iteration[1] != iteration[2] && iteration[0] != iteration[2]);
            }
            assert!(answer.ponder.is_some());
        }
    }
}

#[test]
fn infinite_and_ponder_searches_wait() {
    for (infinite, ponder) in [(true, false), (false, true)] {
        let limits = Limits { depth: Some(2), infinite, ponder, ..Limits::default() };
        let signals = Signals::new();
        let sender = std::sync::Arc::clone(&signals);
        let waiter = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            if ponder { sender.ponder_hit() } else { sender.stop() }
        });
        let start = Instant::now();
        pool(2).search(&GameHistory::default(), &limits, &Settings::default(), &signals, &mut |_| ());
        assert!(start.elapsed() >= Duration::from_millis(49));
        waiter.join().unwrap();
    }
}

#[test]
fn no_legal_move_has_no_answer() {
    let (answer, _) = search("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &depth(3));
    assert!(answer.best.is_none() && answer.score == Score::DRAW);
    let (answer, _) = search("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &depth(3));
    assert!(answer.best.is_none() && answer.score.kind() == Kind::Mate(0));
}

#[test]
fn time_limits_hold() {
    let clock = |remaining, increment, moves_to_go| Limits {
        clock: Some(Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        }),
        ..Limits::default()
    };
    let settings = Settings::default();
    for (remaining, increment, moves) in
        [(60_000, 0, None), (1000, 10, None), (20, 1, None), (1, 0, None), (500, 0, Some(1)), (500, 0, Some(40))]
    {
        let budget = clock(remaining, increment, moves).time_budget(&settings, &SearchParams::default()).unwrap();
        assert!(budget.soft <= budget.hard);
        assert!(budget.hard <= Duration::from_millis(remaining.saturating_sub(10).max(1)), "{remaining}");
    }
    let settings = Settings { move_overhead: Duration::from_secs(1), ..Settings::default() };
    let spent_at_least = clock(5000, 2000, None).time_budget(&settings, &SearchParams::default()).unwrap().hard;
    assert_eq!(spent_at_least, Duration::from_secs(1), "the increment less the overhead is free");
    let reserve = clock(4000, 0, None).time_budget(&settings, &SearchParams::default()).unwrap().hard;
    assert_eq!(reserve, Duration::from_micros(62_500), "a share of the reserve");
    let start = Instant::now();
    let limits = Limits { move_time: Some(Duration::from_millis(60)), ..Limits::default() };
    search("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &limits);
    assert!((40..200).contains(&start.elapsed().as_millis()));
}

#[test]
fn a_lead_on_the_clock_sets_the_pace() {
    let params = SearchParams::default();
    let clock = |ms| Some(Clock { remaining: Duration::from_millis(ms), increment: Duration::ZERO, moves_to_go: None });
    let limit = |own, other, uses_clock_lead, expected| {
        let limits = Limits { clock: clock(own), opponent_clock: clock(other), ..Limits::default() };
        let settings = Settings { uses_clock_lead, ..Settings::default() };
        let root = RootStability { stable_iterations: 5, best_move_share: 0.5, score_drop_cp: 0.0, expected };
        limits.time_budget(&settings, &params).unwrap().soft_limit(root, &params)
    };
    let plain = limit(60_000, 20_000, false, 0.9);
    assert_eq!(limit(60_000, 20_000, true, 0.5), plain, "even on the board");
    assert!(limit(60_000, 20_000, true, 0.4) > plain && limit(60_000, 20_000, true, 0.6) < plain);
    let pace_of_opponent = limit(20_000, 20_000, true, 0.9);
    assert!(limit(60_000, 20_000, true, 0.95).abs_diff(pace_of_opponent) < Duration::from_micros(10));
    for expected in [0.05, 0.5, 0.95] {
        assert_eq!(limit(60_000, 60_000, true, expected), plain, "no lead");
        assert_eq!(limit(60_000, 90_000, true, expected), plain, "the other side leads");
        assert_eq!(limit(60_000, 20_000, false, expected), plain, "the lead is not to be used");
    }
    let move_time = Some(Duration::from_millis(200));
    let limits = Limits { clock: clock(60_000), opponent_clock: clock(20_000), move_time, ..Limits::default() };
    let settings = Settings { uses_clock_lead: true, ..Settings::default() };
    let short = limits.time_budget(&settings, &params).unwrap();
    assert_eq!(short.opponent_soft, None, "the time for the move is less than the opponent's share");
}

#[test]
fn the_soft_node_limit_ends_after_a_whole_iteration() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let nodes_to = |limits: &Limits| search(fen, limits).0.nodes;
    let soft = nodes_to(&Limits { soft_nodes: Some(5000), ..Limits::default() });
    let last = (1..30).find(|&plies| nodes_to(&depth(plies)) >= 5000).unwrap();
    assert_eq!(soft, nodes_to(&depth(last)));
    let hard = Limits { soft_nodes: Some(5000), nodes: Some(5001), ..Limits::default() };
    assert_eq!(nodes_to(&hard), 5001);
}

fn with_contempt(contempt: i16) -> Settings {
    Settings { contempt, ..Settings::default() }
}

#[test]
fn contempt_decides_on_a_repetition() {
    let mut game = GameHistory::default();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        let m = game.position().parse_move(text).unwrap();
        game.play(m);
    }
    let answer = |white: i16| {
        let settings = with_contempt(white);
        let answer = pool(1).search(&game, &depth(6), &settings, &Signals::new(), &mut |_| ());
        (game.position().format_move(answer.best.unwrap(), false), answer.score)
    };
    // Black is to move and can repeat for the third time.
    let (weaker, stronger) = (answer(400), answer(-400));
    assert_eq!(weaker, ("f6g8".to_owned(), Score::DRAW));
    assert!(stronger.0 != "f6g8" && stronger.1 > Score::DRAW, "{stronger:?}");
}

#[test]
fn contempt_is_the_same_for_both_colours() {
    for (white, black) in [
        ("4k3/8/8/8/8/3P4/8/4K3 w - - 0 1", "4k3/8/3p4/8/8/8/8/4K3 b - - 0 1"),
        ("6k1/pp3ppp/8/3p4/8/2N5/PP3PPP/6K1 w - - 0 1", "6k1/pp3ppp/2n5/8/3P4/8/PP3PPP/6K1 b - - 0 1"),
    ] {
        for contempt in [-300, -20, 50, 1000] {
            let score = |fen: &str, contempt: i16| {
                let settings = with_contempt(contempt);
                pool(1).search(&game(fen), &depth(1), &settings, &Signals::new(), &mut |_| ()).score
            };
            assert_eq!(score(white, contempt), score(black, -contempt), "{white} {contempt}");
            assert_eq!(score(white, contempt) > score(white, 0), contempt > 0);
        }
    }
}

#[test]
fn nothing_of_another_contempt_is_mixed_in() {
    // Without checks: which way out of them quiescence search looks at depends on what it learnt of moves.
    for fen in ["4k3/pp3ppp/8/8/8/8/PP3PPP/4K3 w - - 0 1", "6k1/pp3ppp/8/3p4/8/2N5/PP3PPP/6K1 w - - 0 1"] {
        let game = game(fen);
        let mut used = pool(1);
        let search = |pool: &mut Pool, plies: usize, contempt: i16| {
            pool.search(&game, &depth(plies), &with_contempt(contempt), &Signals::new(), &mut |_| ()).score
        };
        for contempt in [0, 600, -600] {
            let fresh = search(&mut pool(1), 1, contempt);
            assert_eq!(search(&mut used, 1, contempt), fresh, "{fen} {contempt}");
            search(&mut used, 8, contempt);
        }
    }
}

#[test]
fn mates_are_found_where_the_game_is_as_good_as_won() {
    for fen in [
        "4R3/6pk/8/3B2K1/8/1p6/p1bp3p/8 w - - 0 1",
        "6b1/5k1p/2K3pP/2P3p1/1Bp3P1/2p5/2P5/8 w - - 0 1",
        "8/1NR4B/2p1k3/4p1P1/2P1p3/r1n1P2P/2p4K/8 w - - 0 1",
    ] {
        let (answer, _) = search(fen, &Limits { nodes: Some(100_000), ..Limits::default() });
        assert!(matches!(answer.score.kind(), Kind::Mate(1..)), "{fen}: {:?}", answer.score);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn constants_in_their_ranges_are_searched_with(
        shares in prop::collection::vec(0.0..=1.0f64, SearchParams::NUMBERS.len()),
    ) {
        let mut constants = SearchParams::default();
        for (index, (number, share)) in SearchParams::NUMBERS.iter().zip(shares).enumerate() {
            let value = number.min + share * (number.max - number.min);
            constants.set(index, if number.whole { value.round() } else { value });
        }
        let mut pool = pool(1);
        pool.set_params(constants);
        let limits = Limits { depth: Some(6), nodes: Some(5_000), ..Limits::default() };
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 90 1",
        ] {
            let game = game(fen);
            let best = pool.search(&game, &limits, &Settings::default(), &Signals::new(), &mut |_| ()).best;
            prop_assert!(best.is_some_and(|m| game.position().legal_moves().contains(&m)));
        }
    }
}
