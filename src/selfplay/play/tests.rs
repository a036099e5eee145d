use super::*;
use crate::score::Score;
use crate::selfplay::openings::Source;
use std::collections::HashSet;

fn play(seed: u64, numbers: impl IntoIterator<Item = u64>) -> Vec<Played> {
    let openings = Openings::new(&Source::Random(6), false, &mut ChaCha8Rng::seed_from_u64(seed)).unwrap();
    let signals = Signals::new();
    let mut player = Player::new(seed, 100, 200, &openings, Weights::shipped(), &signals).unwrap();
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
        let mut board = position::Game::new(game.start.clone());
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
    let openings = Openings::new(&Source::Random(6), false, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
    let signals = Signals::new();
    let mut player = Player::new(1, 100, 200, &openings, Weights::shipped(), &signals).unwrap();
    signals.stop();
    assert!(player.play(0).unwrap().is_none());
}

#[test]
fn too_many_random_moves_are_told() {
    let openings = Openings::new(&Source::Random(60), false, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
    let signals = Signals::new();
    let mut player = Player::new(1, 10, 10, &openings, Weights::shipped(), &signals).unwrap();
    // Most openings of sixty random moves are decided, but not all.
    assert!(player.play(0).unwrap().is_some());
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
