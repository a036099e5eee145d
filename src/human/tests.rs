//! Tests of the model as a whole.

use super::*;
use crate::position::{GameHistory, Position};
use crate::printing::{Profiles, TimeClass, TimeControl};
use crate::search::Signals;
use crate::wdl::score::Score;
use proptest::prelude::*;

const FENS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
];

fn game(fen: &str) -> GameHistory {
    GameHistory::new(Position::from_fen(fen, false).unwrap())
}

fn values(game: &GameHistory, effort: Effort) -> Vec<MoveValues> {
    Valuer::new().unwrap().values(game, effort, &Signals::new())
}

fn decision(game: &GameHistory, player: &Player) -> Decision {
    let quick = Effort { nodes: Some(10_000), ..Effort::default() };
    Decision::new(game, Recent::default(), &values(game, quick), player, &Profiles::shipped())
}

#[test]
fn the_shipped_model_is_read() {
    let model = HumanModel::shipped();
    assert_eq!(model.features.len(), COUNT);
    assert!(model.features.iter().any(|weights| weights.constant != 0.0));
}

#[test]
fn names_of_features_differ() {
    let names: std::collections::BTreeSet<_> = FEATURES.iter().map(|feature| feature.name).collect();
    assert_eq!(names.len(), COUNT);
}

#[test]
fn every_legal_move_is_valued_at_every_depth_of_its_stage() {
    for fen in FENS {
        let game = game(fen);
        let values = values(&game, Effort::default());
        let mut moves: Vec<_> = values.iter().map(|values| values.m.bits()).collect();
        moves.sort_unstable();
        let mut legal: Vec<_> = game.position().legal_moves().iter().map(|m| m.bits()).collect();
        legal.sort_unstable();
        assert_eq!(moves, legal);
        // A single legal move is not searched to the end.
        if legal.len() > 1 {
            assert!(values.iter().all(|values| values.depth() >= 4), "{fen}");
            assert_eq!(values[0].depth(), 8, "{fen}");
        }
    }
}

#[test]
fn values_do_not_depend_on_what_was_valued_before() {
    let mut valuer = Valuer::new().unwrap();
    let [first, second] = [FENS[1], FENS[3]].map(game);
    let alone = valuer.values(&second, Effort::default(), &Signals::new());
    valuer.values(&first, Effort::default(), &Signals::new());
    assert_eq!(valuer.values(&second, Effort::default(), &Signals::new()), alone);
}

#[test]
fn a_valuation_without_nodes_still_lists_the_moves() {
    let values = values(&GameHistory::default(), Effort { nodes: Some(1), ..Effort::default() });
    assert_eq!(values.len(), 20);
}

#[test]
fn a_free_queen_is_taken_and_more_surely_by_the_stronger() {
    let game = game("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let takes = game.position().parse_move("f3h4").unwrap();
    let chance = |elo| {
        let player = Player::of_class(elo, TimeClass::Blitz);
        let decision = decision(&game, &player);
        let index = decision.choices.iter().position(|choice| choice.m == takes).unwrap();
        HumanModel::shipped().probabilities(&decision, &player)[index]
    };
    let chances = [800.0, 1600.0, 2400.0].map(chance);
    assert!(chances[0] > 0.5 && chances[0] < chances[1] && chances[1] < chances[2], "{chances:?}");
}

#[test]
fn games_by_mail_count_as_classical_ones() {
    let classical = Player::of_class(1500.0, TimeClass::Classical);
    let by_mail = Player::of_class(1500.0, TimeClass::Correspondence);
    for player in [by_mail, classical.with(TimeControl::of_tag("1/86400").unwrap())] {
        assert_eq!(player.pace, classical.pace);
        assert_eq!(player.wdl_for(&Profiles::shipped()), classical.wdl_for(&Profiles::shipped()));
    }
}

#[test]
fn a_lower_temperature_prefers_the_likeliest() {
    let player = Player::of_class(1500.0, TimeClass::Rapid);
    let decision = decision(&game(FENS[1]), &player);
    let level = |temperature| Level { temperature, sharpness: 0.0, elo: 1500.0 };
    let most = |temperature| {
        let probabilities = level(temperature).probabilities(HumanModel::shipped(), &decision, &player);
        probabilities.into_iter().fold(0.0, f64::max)
    };
    assert!(most(0.3) > most(1.0) && most(1.0) > most(3.0));
}

#[test]
fn sharper_levels_lose_less() {
    let player = Player::of_class(1500.0, TimeClass::Rapid);
    let decision = decision(&game(FENS[1]), &player);
    let lost = |sharpness| {
        let level = Level { temperature: 1.0, sharpness, elo: 1500.0 };
        let probabilities = level.probabilities(HumanModel::shipped(), &decision, &player);
        Difficulty::of(&decision, &probabilities).expected_loss
    };
    assert!(lost(20.0) < lost(0.0));
}

#[test]
fn the_same_seed_draws_the_same() {
    let game = game(FENS[0]);
    let draw = |seed| {
        let mut draws = Draws::new(seed, &game);
        [draws.next(), draws.next()]
    };
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
    assert!(draw(7).iter().all(|number| (0.0..1.0).contains(number)));
}

#[test]
fn won_endings_are_left_to_the_search_from_1000_up() {
    let wins = |fen, elo| wins_without_fail(elo, game(fen).position(), None, 0);
    assert!(wins("8/8/8/4k3/8/8/8/KR6 w - - 0 1", 1000.0));
    assert!(!wins("8/8/8/4k3/8/8/8/KR6 w - - 0 1", 999.0));
    assert!(!wins("8/8/8/4k3/8/8/8/KR6 b - - 0 1", 1500.0));
    assert!(!wins("8/8/8/4k3/8/8/8/KN6 w - - 0 1", 1500.0));
    // Two bishops: by the tables' word, or by a mate where the tables have so many pieces.
    let bishops = game("8/8/8/4k3/8/8/8/KBB5 w - - 0 1");
    let wins = |score, pieces| wins_without_fail(1000.0, bishops.position(), Some(score), pieces);
    let [mate, table] = [Score::mate_in(9), Score::tablebase_win(9)];
    assert!(wins(table, 0) && wins(mate, 4) && !wins(mate, 3) && !wins(-mate, 4) && !wins(Score::DRAW, 4));
}

#[test]
fn files_with_faults_are_refused() {
    let reason = |text| crate::params::read::<HumanModel>("h.toml", text).unwrap_err().to_string();
    assert_eq!(reason("[nonsense]\nconstant = 1.0"), "h.toml, line 1: [nonsense]: there is no such feature");
    assert_eq!(reason("[capture]\nother = 1.0"), "h.toml, line 2: unknown name 'other'");
    assert_eq!(reason("capture = 1.0"), "h.toml, line 1: [capture]: not a table");
    assert_eq!(reason("[squares.pawn]\nlater = [1]"), "h.toml, line 1: squares.pawn: not 64 numbers from -100 to 100");
    assert_eq!(reason("[levels.strong]\nelo = 3"), "h.toml, line 1: levels.strong: the name is not a rating");
}

#[test]
fn levels_go_in_straight_lines() {
    let text = "[levels.1000]\ntemperature = 1.0\nelo = 900\n[levels.2000]\ntemperature = 0.5\nelo = 2100";
    let levels = crate::params::read::<HumanModel>("h.toml", text).unwrap().levels;
    let found = [500.0, 1000.0, 1500.0, 2600.0].map(|elo| (levels.at(elo).temperature, levels.at(elo).elo));
    assert_eq!(found, [(1.0, 900.0), (1.0, 900.0), (0.75, 1500.0), (0.5, 2100.0)]);
}

#[test]
fn more_time_on_the_clock_is_more_time_for_the_move() {
    let thinking = &HumanModel::shipped().thinking;
    let time = |left| {
        let moment = Moment { left, increment: 0.0, plies: 30, is_check: false, is_retake: false };
        thinking.draw(&thinking_parts(moment, &[0.5, 0.5]), [0.5, 0.25])
    };
    assert!(time(30.0) < time(300.0));
}

proptest! {
    #[test]
    fn probabilities_sum_to_one(utilities in prop::collection::vec(-700.0f64..700.0, 1..60)) {
        let probabilities = softmax(&utilities);
        prop_assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        prop_assert!(probabilities.iter().all(|p| (0.0..=1.0).contains(p)));
        for (a, p) in utilities.iter().zip(&probabilities) {
            for (b, q) in utilities.iter().zip(&probabilities) {
                prop_assert!(a < b || p >= q);
            }
        }
    }

    #[test]
    fn draws_follow_the_probabilities(number in 0.0f64..1.0) {
        let index = drawn(&[0.25, 0.0, 0.5, 0.25], number);
        let expected = if number < 0.25 { 0 } else if number < 0.75 { 2 } else { 3 };
        prop_assert_eq!(index, expected);
    }
}

#[test]
fn corrected_chances_follow_their_law_and_stay_in_order() {
    let errors = ErrorChances { mistake_offset: -0.5, mistake_scale: 0.8, ..ErrorChances::default() };
    let raw = |mistake, blunder| Difficulty { mistake, blunder, expected_loss: 0.1 };
    let logit = |p: f64| (p / (1.0 - p)).ln();
    let of = errors.corrected(raw(0.3, 0.1));
    assert!((logit(of.mistake) - (-0.5 + 0.8 * logit(0.3))).abs() < 1e-9, "{of:?}");
    assert!((of.blunder - 0.1).abs() < 1e-9 && of.expected_loss == 0.1);
    // A blunder is a mistake.
    let close = errors.corrected(raw(0.3, 0.29));
    assert_eq!(close.blunder, close.mistake);
    // What cannot happen or cannot be avoided stays so, whatever rounding leaves.
    let [never, always] = [raw(0.0, 0.0), raw(1.0 + 1e-15, 1.0)].map(|raw| errors.corrected(raw));
    assert_eq!([never.mistake, never.blunder, always.mistake, always.blunder], [0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn moves_are_worth_what_the_opponent_leaves() {
    let player = Player::of_class(1500.0, TimeClass::Classical);
    let worth = |fen: &str, m: &str| {
        let before = game(fen);
        let m = before.position().parse_move(m).unwrap();
        let mut after = before.clone();
        after.play(m);
        let replies = values(&after, Effort::default());
        let (model, profiles) = (HumanModel::shipped(), Profiles::shipped());
        PracticalMove::new((&before, Recent::default(), m), &replies, &player, model, &profiles)
    };
    // A rook mates, a queen stalemates.
    let mate = worth("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8");
    assert_eq!((mate.value, mate.points()), (1.0, 1.0));
    assert_eq!(worth("7k/8/8/6K1/8/8/8/5Q2 w - - 0 1", "f1f7").points(), 0.5);
    // A rook given away: what the reply is likely to lose is added.
    let lost = worth("r5k1/5ppp/8/8/8/8/5PPP/3Q2K1 b - - 0 1", "a8a1");
    assert!(lost.value < 0.1 && lost.reply_loss > 0.0 && lost.points() > lost.value, "{lost:?}");
}
