use super::law::{Law, People, PeopleTerms};
use super::profile::{COUNT, FEATURES, Inputs, ProfileNumbers, Target};
use super::{
    BoardFacts, FLOOR, NOMINAL, Nominal, Pace, PeopleLaw, Profiles, RatingGap, TimeClass, adjust, apply, predict,
};
use crate::params::{self, NumberTable, Parameters};
use crate::position::Position;
use crate::wdl::model::{self, Wdl, WiloDraw};
use proptest::prelude::*;
use shakmaty::Color;

/// Pieces of so much material, on both sides.
fn board(material: u32) -> BoardFacts {
    BoardFacts { material, pawns: 8, can_win: [true; 2], clock: 0, advantage: 0 }
}

/// The same where the side to move is rated higher by so much.
fn of_players(material: u32, advantage: i32) -> BoardFacts {
    BoardFacts { advantage, ..board(material) }
}

#[test]
fn a_minor_piece_does_not_win_but_where_it_mates() {
    for (fen, can_win) in [
        ("8/8/8/4k3/4b3/8/4P3/6K1 w - - 1 66", [true, false]),
        ("8/8/8/4k3/4b3/8/8/5NK1 w - - 1 66", [false, false]),
        ("8/8/8/4k3/8/8/8/4NNK1 w - - 1 66", [false, false]),
        ("8/8/8/4k3/4p3/8/8/4NNK1 w - - 1 66", [true, true]),
        ("8/8/8/4k3/8/8/8/4BNK1 b - - 1 66", [false, true]),
        ("8/8/8/4k3/8/8/8/6KR b - - 1 66", [false, true]),
    ] {
        let board = BoardFacts::of_position(&Position::from_fen(fen, false).unwrap());
        assert_eq!(board.can_win, can_win, "{fen}");
        let numbers = Profiles::shipped().at(1500.0, Pace::of_class(TimeClass::Rapid)).unwrap();
        let printed = predict(&numbers, &Inputs::rule_draw(board), board);
        assert_eq!([printed.win > 0.0, printed.loss > 0.0], can_win, "{fen}");
        let mate = predict(&numbers, &Inputs::mate(2, board), board);
        assert!(mate.win > 0.9 && (mate.loss > 0.0) == can_win[1], "{fen}");
    }
}

/// `v` of a `w` in pawns.
fn v(wilo: f64) -> f64 {
    Inputs::evaluation(WiloDraw { wilo, draw: 0.0 }, board(0)).v
}

fn read<T: Parameters>(text: &str) -> T {
    params::read("test.toml", text).unwrap()
}

const CERTAIN_DRAW: Wdl = Wdl { win: 0.0, draw: 1.0, loss: 0.0 };

/// Ranges in which numbers are drawn, in the order of their table.
const RANGES: [(f64, f64); COUNT] = [
    (0.0, 2.0),
    (0.1, 2.0),
    (-0.09, 2.0),
    (0.0, 1.5),
    (0.0, 4.0),
    (-1.0, 1.0),
    (-3.0, 3.0),
    (0.1, 2.0),
    (-0.1, 1.0),
    (-3.0, 3.0),
    (-2.0, 2.0),
    (-2.0, 2.0),
    (-1.0, 1.0),
    (-0.5, 0.0),
    (-1.0, 7.0),
    (-3.0, 3.0),
    (1.0, 9.0),
    (-0.4, 0.4),
    (-9.0, -1.0),
    (-1.0, 1.0),
];

fn numbers() -> impl Strategy<Value = ProfileNumbers> {
    RANGES.map(|(low, high)| low..high).prop_map(ProfileNumbers::from_values)
}

proptest! {
    #[test]
    fn defaults_compress_large_advantages(w in -9.0..9.0f64, d in -5.0..5.0f64, material in 0..90u32) {
        let wdl = Wdl::from_scores(w, d);
        prop_assume!(wdl.win > FLOOR && wdl.draw > FLOOR && wdl.loss > FLOOR);
        let found = apply(&ProfileNumbers::default(), wdl, board(material));
        let wilo = WiloDraw::of(found).wilo;
        prop_assert!((wilo.abs() - 3.0 * (1.0 + w.abs() / 3.0).ln()).abs() < 1e-6 && wilo * w >= 0.0, "{wilo}");
        prop_assert!((found.draw - wdl.draw).abs() < 1e-9);
    }

    #[test]
    fn nominal_numbers_keep_the_order_and_the_score_of_draws(
        w in -12.0..12.0f64, more in 0.01..5.0f64, d in -6.0..6.0f64, material in 0..90u32, nodes in 0.0..16.0f64,
    ) {
        let numbers = Nominal::shipped().at(nodes.exp());
        let nominal = |w| evaluated(&numbers, w, d, board(material));
        let (here, above) = (nominal(w), nominal(w + more));
        prop_assert!(above.expected() > here.expected(), "{here:?} {above:?}");
        let draw = apply(&numbers, CERTAIN_DRAW, board(material));
        prop_assert!((draw.expected() - 0.5).abs() < 1e-9 && draw.draw > 0.05 && draw.draw < 1.0 - FLOOR, "{draw:?}");
    }

    #[test]
    fn numbers_of_a_law_can_be_used_everywhere(
        terms in prop::collection::vec(-9.0..9.0f64, COUNT * PeopleTerms::NUMBERS.len()),
        elo in 0.0..4000.0f64, seconds in 1.0..100_000.0f64,
    ) {
        let mut law = Law::default();
        for (number, of) in terms.chunks(PeopleTerms::NUMBERS.len()).enumerate() {
            let mut terms = PeopleTerms::default();
            of.iter().enumerate().for_each(|(index, &value)| terms.set(index, value));
            law.set(number, terms);
        }
        prop_assert_eq!(law.at(People { elo, seconds }).check(), Ok(()));
    }

    #[test]
    fn numbers_go_with_the_logarithm_of_the_nodes(w in -3.0..3.0f64, nodes in 1..10_000u64) {
        let nodes = nodes as f64;
        let numbers = read::<Nominal>(BY_NODES).at(nodes);
        let part = 0.1 * (nodes / 20_000.0).max(0.05).ln();
        let few = 0.2 * (nodes / 5_000.0).clamp(0.2, 1.0).ln();
        let certain = model::sigmoid(4.5 * (1.0 - 40.0 / 78.0));
        prop_assert!((apply(&numbers, CERTAIN_DRAW, board(40)).draw - certain).abs() < 1e-9);
        let found = WiloDraw::of(evaluated(&numbers, w, 1.0, board(40)));
        prop_assert!((found.wilo - (1.5 + part) * v(w)).abs() < 1e-6, "{found:?}");
        prop_assert!((found.draw - 2.0 - few).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn sides_are_treated_alike(
        numbers in numbers(), w in -20.0..20.0f64, d in -9.0..9.0f64, material in 0..90u32, advantage in -900..900i32,
    ) {
        let numbers = ProfileNumbers { wilo_turn: 0.0, ..numbers };
        let (ours, theirs) = (Wdl::from_scores(w, d), Wdl::from_scores(-w, d));
        let (ours, theirs) = (apply(&numbers, ours, of_players(material, advantage)), apply(&numbers, theirs, of_players(material, -advantage)));
        prop_assert!((ours.win - theirs.loss).abs() < 1e-9 && (ours.draw - theirs.draw).abs() < 1e-9);
        prop_assert!((ours.win + ours.draw + ours.loss - 1.0).abs() < 1e-9);
    }

    #[test]
    fn mates_may_be_missed(numbers in numbers(), moves in 1..99i32, material in 0..90u32) {
        let board = board(material);
        let certain = predict(&ProfileNumbers::default(), &Inputs::mate(moves, board), board);
        prop_assert_eq!(certain.per_mille(), [1000, 0, 0]);
        let [ours, theirs] = [moves, -moves].map(|moves| predict(&numbers, &Inputs::mate(moves, board), board));
        prop_assert!((ours.win - theirs.loss).abs() < 1e-9 && (ours.draw - theirs.draw).abs() < 1e-9);
        prop_assert!(ours.win > ours.loss);
        let (near, distance) = (moves.min(10) == moves, f64::from(moves).ln());
        let win = model::win_share(numbers.wilo_mate + numbers.wilo_mate_moves * distance);
        prop_assert!(!near || (ours.win / (ours.win + ours.loss) - win).abs() < 1e-9);
        prop_assert!(near || ours == predict(&numbers, &Inputs::mate(10, board), board));
    }

    #[test]
    fn more_wilo_never_expects_less(
        numbers in numbers(), w in -20.0..20.0f64, more in 0.0..5.0f64, d in -6.0..6.0f64, material in 0..90u32,
        advantage in -900..900i32,
    ) {
        let expected = |w| evaluated(&numbers, w, d, of_players(material, advantage)).expected();
        prop_assert!(expected(w + more) >= expected(w) - 1e-9);
        // What is printed in per mille has lost some of d where one side all but never wins.
        let expected = |w| apply(&numbers, Wdl::from_scores(w, d), board(material)).expected();
        prop_assert!(expected(w + more) >= expected(w) - 1e-9);
    }

    #[test]
    fn better_players_expect_more(
        numbers in numbers(), w in -9.0..9.0f64, d in -6.0..6.0f64, material in 0..90u32, elo in -900..900i32, more in 0..900i32,
    ) {
        for wdl in [Wdl::from_scores(w, d), CERTAIN_DRAW] {
            let expected = |elo| apply(&numbers, wdl, of_players(material, elo)).expected();
            prop_assert!(expected(elo + more) >= expected(elo) - 1e-9);
        }
    }

    #[test]
    fn a_higher_rating_of_a_player_does_not_make_him_expect_less(
        w in -4.0..4.0f64, d in -3.0..3.0f64, material in 0..79u32, (elo, other) in (600..2600u32, 600..2600u32),
        more in 1..100u32, seconds in 60.0..7200.0f64,
    ) {
        // The mean rating changes all numbers, so this holds about.
        let expected = |elo: u32| {
            let numbers = PeopleLaw::shipped().at(f64::from(elo.midpoint(other)), seconds);
            let advantage = elo.cast_signed() - other.cast_signed();
            evaluated(&numbers, w, d, of_players(material, advantage)).expected()
        };
        prop_assert!(expected(elo + more) > expected(elo) - 0.01, "{} {}", expected(elo + more), expected(elo));
    }

    #[test]
    fn values_make_the_numbers(numbers in numbers()) {
        prop_assert_eq!(ProfileNumbers::from_values(numbers.values()), numbers);
    }

    #[test]
    fn ratings_between_lie_between(elo in 1000.0..3500.0f64) {
        let profiles = read::<Profiles>(BOTH);
        let found = profiles.at(elo, Pace::of_class(TimeClass::Blitz)).unwrap();
        let part = ((elo - 1600.0) / 1000.0).clamp(0.0, 1.0);
        prop_assert!((found.wilo_factor - (0.4 + 0.4 * part)).abs() < 1e-12);
        prop_assert!((found.draw_offset - (-1.0 + part)).abs() < 1e-12);
        prop_assert!((found.draw_factor - (1.0 - 0.5 * part)).abs() < 1e-12);
    }
}

/// Win, draw and loss for the scores of an evaluation.
fn evaluated(numbers: &ProfileNumbers, wilo: f64, draw: f64, board: BoardFacts) -> Wdl {
    predict(numbers, &Inputs::evaluation(WiloDraw { wilo, draw }, board), board)
}

const BOTH: &str = "\
[strong]
elo = 2600
wilo_factor = 0.8
draw_offset = 0.0
draw_factor = 0.5
[engines]
wilo_factor = 1.1
draw_offset = 0.3
[weak]
elo = 1600
wilo_factor = 0.4
draw_offset = -1.0
";

const BY_NODES: &str = "\
[wilo_factor]
constant = 1.5
nodes = 0.1
[draw_offset]
constant = 1.0
nodes_few = 0.2
";

#[test]
fn numbers_are_sums_of_what_is_known_of_the_games() {
    let mut law = Law::default();
    let terms = PeopleTerms { constant: 1.0, rating: 2.0, rating_square: 3.0, pace: 4.0, rating_pace: 5.0 };
    law.set(ProfileNumbers::index("draw_offset").unwrap(), terms);
    let at = |elo, seconds| law.at(People { elo, seconds }).draw_offset;
    assert_eq!(at(1600.0, 600.0), 1.0);
    assert!((at(2000.0, 600.0) - 6.0).abs() < 1e-12 && (at(1200.0, 600.0) - 2.0).abs() < 1e-12);
    let e = std::f64::consts::E;
    assert!((at(1600.0, 600.0 * e) - 5.0).abs() < 1e-12 && (at(2000.0, 600.0 * e) - 15.0).abs() < 1e-12);
    // Beyond what games tell the law goes on as it is there, and numbers keep their range.
    assert_eq!((at(100.0, 600.0), at(5000.0, 1.0)), (at(400.0, 600.0), at(2900.0, 30.0)));
    law.set(
        ProfileNumbers::index("draw_offset").unwrap(),
        PeopleTerms { constant: 99.0, rating: 9.0, ..PeopleTerms::default() },
    );
    assert_eq!(law.at(People { elo: 2000.0, seconds: 600.0 }).draw_offset, 100.0);
    assert_eq!(law.at(People { elo: 2000.0, seconds: 600.0 }).wilo_factor, ProfileNumbers::default().wilo_factor);
}

#[test]
fn people_and_profiles_of_a_name_are_one_law() {
    let (profiles, law) = (Profiles::shipped(), PeopleLaw::shipped());
    let blitz = Pace::of_class(TimeClass::Blitz);
    assert_eq!(profiles.at(1700.0, blitz), Some(law.at(1700.0, blitz.seconds)));
    let club = profiles.get("club-blitz").unwrap();
    assert_eq!(profiles.at(club.elo.unwrap(), blitz).as_ref(), Some(&club.numbers));
    assert_eq!(profiles.at(1700.0, Pace::of_class(TimeClass::Correspondence)), None);
    assert_ne!(law.at(1700.0, 180.0), law.at(1700.0, 300.0));
}

#[test]
fn the_shipped_file_is_read() {
    let profiles = Profiles::shipped();
    assert!(profiles.names().count() > 0);
    assert!(profiles.at(2500.0, Pace::of_class(TimeClass::Classical)).is_some());
}

#[test]
fn profiles_are_found_by_name_in_the_order_of_the_file() {
    let profiles = read::<Profiles>(BOTH);
    assert_eq!(profiles.names().collect::<Vec<_>>(), ["strong", "engines", "weak"]);
    assert_eq!(profiles.get("WEAK").unwrap().numbers.draw_offset, -1.0);
    assert_eq!(profiles.get(NOMINAL), None);
    assert_eq!(profiles.first(), profiles.get("strong"));
}

#[test]
fn ratings_are_those_of_a_time_class_and_beyond_them_those_of_its_neighbour() {
    let text = |name: &str, elo: u32, class: &str, factor: f64| {
        format!("[{name}]\nelo = {elo}\ntime_control = \"{class}\"\nwilo_factor = {factor}\ndraw_offset = 0.0\n")
    };
    let file = text("a", 2000, "blitz", 0.5)
        + &text("b", 2000, "classical", 0.9)
        + &text("c", 2400, "classical", 1.1)
        + &text("d", 1000, "rapid", 0.1)
        + &text("e", 2200, "rapid", 5.0);
    let profiles = read::<Profiles>(&file);
    let factor = |elo, class| profiles.at(elo, Pace::of_class(class)).map(|numbers| numbers.wilo_factor);
    for (elo, class, expected) in [
        (1800.0, TimeClass::Blitz, Some(0.5)),
        (1800.0, TimeClass::Bullet, Some(0.5)),
        (2200.0, TimeClass::Classical, Some(1.0)),
        (1500.0, TimeClass::Classical, Some(0.5)),
        (900.0, TimeClass::Classical, Some(0.1)),
        (2400.0, TimeClass::Rapid, Some(1.1)),
        (2000.0, TimeClass::Exhibition, None),
    ] {
        match (factor(elo, class), expected) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-9, "{elo} {class}: {found}"),
            (found, expected) => assert_eq!(found, expected, "{elo} {class}"),
        }
    }
}

#[test]
fn the_side_to_move_may_be_too_optimistic() {
    let plain = ProfileNumbers::default();
    let sober = ProfileNumbers { wilo_turn: -0.5, ..plain.clone() };
    let ahead = Wdl::from_scores(1.5, 0.5);
    let level = Wdl::from_scores(v(1.5) - 0.5, 0.5);
    assert!((apply(&sober, ahead, board(39)).win - level.win).abs() < 1e-9);
    for material in [0, 78] {
        assert_eq!(apply(&sober, ahead, board(material)), apply(&plain, ahead, board(material)));
    }
    let draw = apply(&sober, CERTAIN_DRAW, board(50));
    assert_eq!(draw.win, draw.loss);
}

#[test]
fn a_higher_rating_is_an_advantage() {
    let numbers = ProfileNumbers {
        wilo_factor: 0.8,
        wilo_elo: 1.5,
        draw_sharp: -0.2,
        draw_certain: 1.0,
        ..ProfileNumbers::default()
    };
    // 200 Elo are nearly three pawns, whoever is ahead on the board.
    let worth = |elo: f64| 1.5 * RatingGap::shipped().effective(elo) / 100.0;
    assert!((2.7..3.0).contains(&worth(200.0)));
    for w in [-2.0, 0.0, 1.0] {
        let found = WiloDraw::of(apply(&numbers, Wdl::from_scores(w, 0.5), of_players(39, 200)));
        let ahead = 0.8 * v(w) + worth(200.0);
        assert!(
            (found.wilo - ahead).abs() < 1e-6
                && (found.draw - (0.5 - 0.2 * (1.0 - model::sigmoid(0.5)) * ahead.abs())).abs() < 1e-6,
            "{found:?}"
        );
    }
    let repeated = apply(&numbers, CERTAIN_DRAW, of_players(78, -100));
    assert!(
        (WiloDraw::of(repeated).wilo + worth(100.0)).abs() < 1e-6 && (repeated.draw - model::sigmoid(1.0)).abs() < 1e-9
    );
    // A mate in sight is missed or not by whoever mates.
    let mate = |advantage| predict(&numbers, &Inputs::mate(3, board(39)), of_players(39, advantage));
    assert_eq!(mate(500), mate(0));
}

#[test]
fn an_advantage_says_the_less_of_draws_the_likelier_they_are() {
    let numbers = ProfileNumbers { draw_sharp: -0.5, draw_endgame: 2.0, draw_idle: 0.3, ..ProfileNumbers::default() };
    for (material, late) in [(78, 0.0), (39, 1.0), (0, 2.0)] {
        for d in [-2.0, 0.0, 3.0] {
            let found = apply(&numbers, Wdl::from_scores(-1.5, d), BoardFacts { clock: 8, ..board(material) }).draw;
            let logit = d + late + 0.5 * 0.3 - 0.5 * (1.0 - model::sigmoid(d)) * v(1.5);
            assert!((found - model::sigmoid(logit)).abs() < 1e-9, "{material} {d}");
        }
    }
}

#[test]
fn few_pieces_have_a_number_of_their_own() {
    let numbers = ProfileNumbers { draw_few: 2.0, ..ProfileNumbers::default() };
    // Of 78 points a quarter is 19.5.
    for (material, few) in [(78, 0.0), (20, 0.0), (13, 1.0 / 3.0), (0, 1.0)] {
        let found = WiloDraw::of(apply(&numbers, Wdl::from_scores(1.5, -2.0), board(material)));
        assert!((found.draw - (-2.0 + 2.0 * few)).abs() < 1e-6, "{material}");
    }
}

#[test]
fn pawns_can_make_endings_less_drawn() {
    let numbers = ProfileNumbers { draw_pawns: -0.4, ..ProfileNumbers::default() };
    for (material, pawns, change) in [(78, 16, 0.0), (39, 8, 0.0), (39, 16, -0.2), (39, 0, 0.2), (0, 0, 0.4)] {
        let board = BoardFacts { pawns, ..board(material) };
        let found = WiloDraw::of(apply(&numbers, Wdl::from_scores(1.5, -1.0), board));
        assert!((found.draw - (-1.0 + change)).abs() < 1e-6, "{material} {pawns}");
    }
    let of = |fen| BoardFacts::of_position(&Position::from_fen(fen, false).unwrap()).pawns;
    assert_eq!([of("4k3/pp6/8/8/8/8/P7/4K3 w - - 0 1"), of("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")], [3, 0]);
}

#[test]
fn large_advantages_can_count_in_full() {
    let numbers = ProfileNumbers { wilo_large: 0.5, draw_sharp: -0.3, ..ProfileNumbers::default() };
    for w in [-6.0, -0.5, 0.0, 2.0, 7.0] {
        let found = WiloDraw::of(apply(&numbers, Wdl::from_scores(w, 0.5), board(30)));
        let ahead = v(w) + 0.5 * v(w).powi(3) / 36.0;
        assert!((found.wilo - ahead).abs() < 1e-6, "{w}");
        assert!((found.draw - (0.5 - 0.3 * (1.0 - model::sigmoid(0.5)) * ahead.abs())).abs() < 1e-6, "{w}");
    }
    // Beyond what searches print it grows no more.
    let far = |wilo| adjust(&numbers, &Inputs::evaluation(WiloDraw { wilo, draw: 0.0 }, board(30))).wilo;
    assert!((far(500.0) - v(500.0) - (far(100.0) - v(100.0))).abs() < 1e-9);
}

#[test]
fn advantages_beyond_per_mille_can_be_told_apart() {
    let numbers = ProfileNumbers { wilo_far: 3.0, ..ProfileNumbers::default() };
    let plain = ProfileNumbers::default();
    for (w, far) in [(-9.0, 0.0), (-15.0, -0.5), (14.0, 0.4), (30.0, 1.0)] {
        let [found, without] =
            [&numbers, &plain].map(|numbers| WiloDraw::of(apply(numbers, Wdl::from_scores(w, -30.0), board(30))).wilo);
        assert!((found - without - 3.0 * far).abs() < 1e-4, "{w}: {found} {without}");
    }
}

#[test]
fn a_draw_by_the_rules_can_be_doubted() {
    let plain = ProfileNumbers::default();
    let doubting = ProfileNumbers { draw_certain: 1.0, draw_certain_endgame: 1.0, ..plain.clone() };
    assert!((apply(&plain, CERTAIN_DRAW, board(0)).draw - model::sigmoid(4.5)).abs() < 1e-9);
    for (material, d) in [(78, 1.0), (39, 1.5), (0, 2.0)] {
        let doubted = apply(&doubting, CERTAIN_DRAW, board(material));
        assert!((doubted.draw - model::sigmoid(d)).abs() < 1e-9 && doubted.win == doubted.loss);
    }
    // A position that is dead drawn by its evaluation alone is as drawn as that says.
    assert!(apply(&doubting, Wdl::from_scores(0.0, 9.0), board(50)).draw > 0.999);
    let drawish = Wdl::from_scores(0.0, 2.0);
    assert_eq!(apply(&doubting, drawish, board(50)), apply(&plain, drawish, board(50)));
}

#[test]
fn a_king_alone_does_not_win() {
    let (fen, even) = ("k7/P7/8/8/8/8/8/1K6".parse::<shakmaty::fen::Fen>().unwrap(), Wdl::from_scores(0.0, 0.0));
    let facts = |turn| BoardFacts::of(&fen.as_setup().board, turn, 0);
    let white = apply(&ProfileNumbers::default(), even, facts(Color::White));
    assert!((white.win - 0.25).abs() < 1e-9 && white.loss == 0.0 && (white.draw - 0.75).abs() < 1e-9, "{white:?}");
    let black = apply(&Nominal::shipped().at(5000.0), even, facts(Color::Black));
    assert!(black.win == 0.0 && black.loss > 0.0 && (black.draw + black.loss - 1.0).abs() < 1e-9, "{black:?}");
}

#[test]
fn features_and_numbers_have_one_order() {
    // Each number alone moves its own score by its own feature.
    let inputs = [
        Inputs::evaluation(WiloDraw { wilo: -1.5, draw: 0.7 }, BoardFacts { clock: 5, pawns: 12, ..board(30) }),
        Inputs::rule_draw(board(30)),
        Inputs::mate(-3, board(30)),
    ];
    for (index, number) in ProfileNumbers::NUMBERS.iter().enumerate() {
        let feature = &FEATURES[index];
        let is_of_wilo = number.name.starts_with("wilo");
        let target = if is_of_wilo { Target::Wilo } else { Target::Draw };
        assert_eq!(feature.target, target, "{}", number.name);
        for inputs in &inputs {
            let plain = ProfileNumbers::default();
            let mut changed = plain.clone();
            changed.set(index, plain.get(index) + 2.0);
            let (before, after) = (adjust(&plain, inputs), adjust(&changed, inputs));
            let change = 2.0 * feature.value(&inputs.ahead(&plain));
            let (wilo, draw) = if is_of_wilo { (change, 0.0) } else { (0.0, change) };
            assert!((after.wilo - before.wilo - wilo).abs() < 1e-9, "{}", number.name);
            assert!((after.draw - before.draw - draw).abs() < 1e-9, "{}", number.name);
        }
    }
}

#[test]
fn bad_files_say_where_and_why() {
    let refusal = |text: &str| params::read::<Profiles>("a.toml", text).unwrap_err().to_string();
    for (text, line, why) in [
        ("", 1, "there is no profile"),
        ("[a\n", 1, "unclosed"),
        ("[a]\nwilo_factor = 1\n\nx = = 2", 4, ""),
        ("a = 3", 1, "'a': not a table"),
        ("[a]\nwilo_factor = 1\n[A]\nwilo_factor = 1", 3, "'A': the same name as 'a'"),
        ("[nominal]\nwilo_factor = 1.0", 1, "'nominal': not a name"),
        ("\n[\"two words\"]\nwilo_factor = 1.0", 2, "'two words': not a name"),
        ("[a]\nwilo_factor = 1.0\ncolour = 1", 3, "unknown name 'colour'"),
        ("[a]\nwilo_factor = \"1\"", 2, "wilo_factor is not a number"),
        ("[a]\nwilo_factor = nan", 2, "wilo_factor = NaN is not from 0 to 100"),
        ("[a]\ndraw_offset = 1e9", 2, "is not from -100 to 100"),
        ("[a]\nwilo_factor = -1.0", 2, "wilo_factor = -1 is not from 0 to 100"),
        ("[a]\nwilo_endgame = -1.5", 1, "wilo_endgame"),
        ("[a]\ndraw_factor = -1.0", 2, "draw_factor"),
        ("[a]\ndraw_factor_endgame = -1.5", 1, "draw_factor with draw_factor_endgame added"),
        ("[a]\ntime_control = \"slow\"", 2, "'slow' is not a time control"),
        ("[a]\nelo = -5", 2, "elo = -5 is not from 0 to 10000"),
        ("[a]\ndescription = 7", 2, "description is not a string"),
        ("[a]\nfit = 7", 2, "unknown name 'fit'"),
        ("[a]\ndraw_sharp = 0.5", 2, "draw_sharp = 0.5 is not from -100 to 0"),
        ("[a]\nwilo_large = -0.5", 2, "wilo_large = -0.5 is not from 0 to 100"),
        ("[a]\nwilo_mate = 0.0", 1, "wilo_mate must be positive"),
        ("[a]\nwilo_mate = 2.0\nwilo_mate_moves = -1.0", 1, "wilo_mate_moves"),
    ] {
        let error = refusal(text);
        assert!(error.starts_with(&format!("a.toml, line {line}: ")) && error.contains(why), "{text}: {error}");
    }
    let refusal = |text: &str| params::read::<Nominal>("n.toml", text).unwrap_err().to_string();
    for (text, line, why) in [
        ("[contempt]\npawns_per_elo = 7", 2, "pawns_per_elo = 7 is not from 0 to 0.1"),
        ("[contempt]\nelo = 7", 2, "unknown name 'elo'"),
        ("[1000]\nwilo_factor = 1.0", 1, "[1000]: there is no such number of a profile"),
        ("[wilo_factor]", 1, "[wilo_factor]: there is no coefficient"),
        ("[wilo_factor]\nconstant = -100.0", 1, "[wilo_factor]: constant = -100 is not from 0 to 100"),
        ("fit = 3", 1, "[fit]: not a table"),
        ("wilo_factor = 1.0", 1, "[wilo_factor]: not a table"),
        ("[wilo_factor]\nrating = 1", 2, "unknown name 'rating'"),
        ("[draw_mate]\nconstant = -3.0", 1, "[draw_mate]: mates are certain here"),
        ("[wilo_elo]\nconstant = 1.0", 1, "[wilo_elo]: the players are equal here"),
    ] {
        let error = refusal(text);
        assert!(error.starts_with(&format!("n.toml, line {line}: ")) && error.contains(why), "{text}: {error}");
    }
}

#[test]
fn fit_tables_are_for_the_reader() {
    let text = "[a]\nwilo_factor = 0.5\ndescription = \"b\"\n[a.fit]\nanything = [1, \"x\"]\n";
    let profiles: Profiles = read(text);
    let profile = profiles.get("a").unwrap();
    assert_eq!((profile.description.as_str(), profile.numbers.wilo_factor), ("b", 0.5));
    let text = "[wilo_factor]\nconstant = 0.5\n[fit]\nanything = 1\n[contempt]\nlimit_wilo = 100\n";
    let nominal: Nominal = read(text);
    assert_eq!((nominal.at(9.0).wilo_factor, nominal.contempt.limit_wilo), (0.5, 100));
}

#[test]
fn a_won_position_is_not_lost_by_ratings_alone() {
    // As in 528 positions of games: White is 1200 Elo weaker, and 14 pawns ahead.
    let profile = Profiles::shipped().at(2100.0, Pace::of_class(TimeClass::Classical)).unwrap();
    let wdl = |gap| apply(&profile, Wdl::from_scores(14.0, -2.0), of_players(50, gap));
    assert!(wdl(-1200).win > 0.2 && wdl(-1200).expected() < wdl(-600).expected(), "{:?}", wdl(-1200));
    assert!(wdl(0).win > 0.85, "{:?}", wdl(0));
    let far = [-2500, -5000].map(|gap| wdl(gap).expected());
    assert!((far[0] - far[1]).abs() < 0.01, "{far:?}");
}
