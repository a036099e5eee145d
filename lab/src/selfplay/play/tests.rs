use super::*;
use crate::selfplay::openings::OpeningSource;
use halfpoint::wdl::score::Score;
use std::collections::HashSet;

fn conditions(seed: u64, random_plies: u32, nodes: u64) -> Conditions {
    let openings =
        Openings::new(&OpeningSource::Random(random_plies), false, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
    Conditions { seed, soft_nodes: nodes, hard_nodes: 2 * nodes, openings, tables: None, weights: Weights::shipped() }
}

fn play(seed: u64, numbers: impl IntoIterator<Item = u64>) -> Vec<Played> {
    let (conditions, signals) = (conditions(seed, 6, 100), Signals::new());
    let mut player = Player::new(&conditions, &signals).unwrap();
    numbers.into_iter().map(|number| player.play(number).unwrap().unwrap()).collect()
}

fn same(left: &Game, right: &Game) -> bool {
    left.start.fen() == right.start.fen() && left.plies == right.plies && left.outcome == right.outcome
}

#[test]
fn games_depend_on_seed_and_number_alone() {
    let (forward, backward) = (play(3, 0..4), play(3, (0..4).rev()));
    assert!(forward.iter().zip(backward.iter().rev()).all(|(left, right)| same(&left.game, &right.game)));
    assert!(forward.iter().zip(play(4, 0..4)).all(|(left, right)| !same(&left.game, &right.game)));
    assert!(forward.windows(2).all(|pair| !same(&pair[0].game, &pair[1].game)));
}

#[test]
fn games_are_legal_and_end_by_rule_or_resignation() {
    let mut endings = HashSet::new();
    for Played { game, nodes } in play(1, 0..12) {
        assert!(nodes <= 200 * game.plies.len() as u64);
        let mut board = position::GameHistory::new(game.start);
        let mut verdict = Verdict::default();
        for ply in &game.plies {
            assert_eq!(board.outcome(), None);
            assert!(board.position().legal_moves().contains(&ply.m));
            board.play(ply.m);
            verdict.hear(ply.eval);
        }
        match game.ending {
            Ending::Resigned => assert_eq!(verdict.winner(), game.outcome.winner()),
            _ => assert_eq!(board.outcome(), Some(game.outcome)),
        }
        endings.insert(game.ending == Ending::Resigned);
    }
    assert_eq!(endings.len(), 2, "some games are resigned and some are not");
}

#[test]
fn a_stop_ends_a_game_without_result() {
    let (conditions, signals) = (conditions(1, 6, 100), Signals::new());
    let mut player = Player::new(&conditions, &signals).unwrap();
    signals.stop();
    assert!(player.play(0).unwrap().is_none());
}

#[test]
fn tables_end_games() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, "8/8/8/4k3/2r5/8/3QK3/8 w - - 0 1\n8/8/8/8/8/4k3/3p4/3QK3 w - - 0 1\n").unwrap();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/syzygy");
    let tables = Tables::open(folder.as_os_str());
    let openings = Openings::new(&OpeningSource::File(book), false, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
    let conditions = Conditions { openings, tables: Some(tables), ..conditions(1, 6, 2000) };
    let signals = Signals::new();
    let mut player = Player::new(&conditions, &signals).unwrap();
    let mut by_tables = 0;
    // The third game begins with a random move in a decided position.
    for number in 0..3 {
        let game = player.play(number).unwrap().unwrap().game;
        let tables = conditions.tables.as_ref().unwrap();
        let last = game.last_position();
        assert_eq!(game.ending == Ending::Tables, tables.outcome(&last).is_some(), "{:?}", last.fen());
        by_tables += usize::from(game.ending == Ending::Tables);
        assert!(game.positions().all(|(position, _)| tables.outcome(&position).is_none()));
    }
    assert!(by_tables > 0);
}

#[test]
fn decided_openings_are_passed_over() {
    // Most openings of sixty random moves are decided, but not all.
    let (conditions, signals) = (conditions(1, 60, 500), Signals::new());
    let mut player = Player::new(&conditions, &signals).unwrap();
    let mut is_balanced = |number: u64| {
        let start = player.opening(number, &mut ChaCha8Rng::seed_from_u64(number)).unwrap();
        // Without what the searches of the openings before it left, a score may be a little beyond the limit.
        player.pool.clear();
        player.is_balanced(&position::GameHistory::new(start))
    };
    assert!((0..10).filter(|&number| is_balanced(number)).count() >= 8);
    let decided = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1", false).unwrap();
    assert!(!player.is_balanced(&position::GameHistory::new(decided)));
}

#[test]
fn both_sides_must_agree_for_long() {
    let decided = |count: usize, color: Color| vec![Eval::of(Score::mate_in(9), color); count];
    let open = vec![Eval::from_centipawns(800)];
    let winner = |parts: &[Vec<Eval>]| {
        let mut verdict = Verdict::default();
        parts.concat().into_iter().for_each(|eval| verdict.hear(eval));
        verdict.winner()
    };
    assert_eq!(winner(&[decided(DECIDED_PLIES, Color::White)]), Some(Color::White));
    assert_eq!(winner(&[open.clone(), decided(DECIDED_PLIES, Color::Black)]), Some(Color::Black));
    assert_eq!(winner(&[decided(DECIDED_PLIES - 1, Color::White)]), None);
    assert_eq!(winner(&[decided(DECIDED_PLIES - 1, Color::White), decided(1, Color::Black)]), None);
    assert_eq!(winner(&[decided(4, Color::White), open, decided(4, Color::White)]), None);
}
