use super::*;
use proptest::prelude::*;

/// Men of so much material, on both sides.
fn traits(material: u32) -> Traits {
    Traits { material, can_win: [true; 2], clock: 0 }
}

fn profiles() -> impl Strategy<Value = Profile> {
    let of_wilo = (0.1..2.0f64, 0.0..2.0f64, -0.05..1.0f64, -1.0..1.0f64, -0.04..0.0f64);
    let of_draw = (-3.0..3.0f64, 0.1..2.0f64, -0.1..1.0f64, -3.0..3.0f64, -2.0..2.0f64, -1.0..1.0f64);
    let of_size = (-0.5..0.0f64, -0.5..0.0f64, -0.5..1.0f64, -0.5..0.0f64);
    let of_draws = (-1.0..7.0f64, -3.0..3.0f64);
    let of_mates = (1.0..9.0f64, -0.4..0.4f64, -9.0..-1.0f64, -1.0..1.0f64);
    (of_wilo, of_draw, of_size, of_draws, of_mates).prop_map(
        |((a, b, c, d, e), (f, g, h, i, j, k), (l, m, n, o), (p, q), (r, s, t, u))| {
            // With draw_near added draw_sharp is not positive.
            let n = n * -m;
            Profile::from_numbers([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u])
        },
    )
}

proptest! {
    #[test]
    fn plain_bends_large_advantages(w in -9.0..9.0f64, d in -5.0..5.0f64, material in 0..90u32) {
        let wdl = Wdl::from_scores(w, d);
        prop_assume!(wdl.win > FLOOR && wdl.draw > FLOOR && wdl.loss > FLOOR);
        let bent = Profile::PLAIN.apply(wdl, traits(material));
        let (wilo, _) = model::invert(bent.expected(), bent.draw);
        prop_assert!((wilo.abs() - 3.0 * (1.0 + w.abs() / 3.0).ln()).abs() < 1e-6 && wilo * w >= 0.0, "{wilo}");
        prop_assert!((bent.draw - wdl.draw).abs() < 1e-9);
    }

    #[test]
    fn corrections_keep_the_order_and_the_score_of_draws(
        w in -12.0..12.0f64, more in 0.01..5.0f64, d in -6.0..6.0f64, material in 0..90u32, nodes in 0.0..16.0f64,
    ) {
        let nodes = nodes.exp() as u64;
        let correct = |w| Nominal::shipped().apply(Wdl::from_scores(w, d), traits(material), nodes);
        let (here, above) = (correct(w), correct(w + more));
        prop_assert!(above.expected() > here.expected(), "{here:?} {above:?}");
        let draw = Nominal::shipped().apply(Wdl { win: 0.0, draw: 1.0, loss: 0.0 }, traits(material), nodes);
        prop_assert!((draw.expected() - 0.5).abs() < 1e-9 && draw.draw > 0.25 && draw.draw < 1.0 - FLOOR, "{draw:?}");
    }

    #[test]
    fn corrections_for_nodes_between_lie_between(w in -3.0..3.0f64, nodes in 1..10_000u64) {
        let nominal = Nominal::from_toml(BY_NODES).unwrap();
        let part = ((nodes as f64 / LAST_LINE / 100.0).log10()).clamp(0.0, 1.0);
        let draw = Wdl { win: 0.0, draw: 1.0, loss: 0.0 };
        let certain = model::sigmoid(CERTAIN + CERTAIN_ENDGAME * (1.0 - 40.0 / 78.0));
        prop_assert!((nominal.apply(draw, traits(40), nodes).draw - certain).abs() < 1e-9);
        let found = nominal.apply(Wdl::from_scores(w, 1.0), traits(40), nodes);
        let (wilo, draw) = model::invert(found.expected(), found.draw);
        prop_assert!((wilo - (0.5 + part) * bent(w)).abs() < 1e-6, "{wilo}");
        prop_assert!((draw - (1.0 + part)).abs() < 1e-6, "{draw}");
    }

    #[test]
    fn sides_are_treated_alike(profile in profiles(), w in -20.0..20.0f64, d in -9.0..9.0f64, material in 0..90u32) {
        let profile = Profile { wilo_behind: 0.0, wilo_turn: 0.0, draw_behind: 0.0, ..profile };
        let (ours, theirs) = (Wdl::from_scores(w, d), Wdl::from_scores(-w, d));
        let (ours, theirs) = (profile.apply(ours, traits(material)), profile.apply(theirs, traits(material)));
        prop_assert!((ours.win - theirs.loss).abs() < 1e-9 && (ours.draw - theirs.draw).abs() < 1e-9);
        prop_assert!((ours.win + ours.draw + ours.loss - 1.0).abs() < 1e-9);
    }

    #[test]
    fn mates_may_be_missed(profile in profiles(), moves in 1..99i32, material in 0..90u32) {
        let traits = traits(material);
        prop_assert_eq!(Profile::PLAIN.predict(Scores::mate(moves, traits), traits).per_mille(), [1000, 0, 0]);
        let [ours, theirs] = [moves, -moves].map(|moves| profile.predict(Scores::mate(moves, traits), traits));
        prop_assert!((ours.win - theirs.loss).abs() < 1e-9 && (ours.draw - theirs.draw).abs() < 1e-9);
        prop_assert!(ours.win > ours.loss);
        let (near, distance) = (moves.min(10) == moves, f64::from(moves).ln());
        let win = model::win_share(profile.wilo_mate + profile.wilo_mate_moves * distance);
        prop_assert!(!near || (ours.win / (ours.win + ours.loss) - win).abs() < 1e-9);
        prop_assert!(near || ours == profile.predict(Scores::mate(10, traits), traits));
    }

    #[test]
    fn more_wilo_never_expects_less(
        profile in profiles(), w in -20.0..20.0f64, more in 0.0..5.0f64, d in -6.0..6.0f64, material in 0..90u32,
    ) {
        // What is taken from the side to move may turn it below even, where a draw more is a gain.
        let profile = Profile { wilo_turn: 0.0, ..profile };
        let expected = |w| profile.apply(Wdl::from_scores(w, d), traits(material)).expected();
        prop_assert!(expected(w + more) >= expected(w) - 1e-9);
    }

    #[test]
    fn numbers_make_the_profile(profile in profiles()) {
        prop_assert_eq!(Profile::from_numbers(profile.numbers()), profile);
    }

    #[test]
    fn ratings_between_lie_between(elo in 1000.0..3500.0f64) {
        let profiles = Profiles::from_toml(BOTH).unwrap();
        let found = profiles.at_elo(elo, Pace::Blitz).unwrap();
        let part = ((elo - 1600.0) / 1000.0).clamp(0.0, 1.0);
        prop_assert!((found.wilo_factor - (0.4 + 0.4 * part)).abs() < 1e-12);
        prop_assert!((found.draw_offset - (-1.0 + part)).abs() < 1e-12);
        prop_assert!((found.draw_factor - (1.0 - 0.5 * part)).abs() < 1e-12);
    }
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
[1000]
wilo_factor = 1.5
draw_offset = 1.0
[100]
wilo_factor = 0.5
draw_offset = 0.0
";

#[test]
fn searches_with_fewer_nodes_are_the_nearest_below() {
    let nominal = Nominal::from_toml(BY_NODES).unwrap();
    let factor = |nodes| nominal.below(nodes).map(|profile| profile.wilo_factor);
    assert_eq!([100, 101, 1000, 5000].map(factor), [None, Some(0.5), Some(0.5), Some(1.5)]);
}

#[test]
fn the_shipped_file_is_read() {
    let profiles = Profiles::shipped();
    assert!(profiles.names().count() > 0);
    assert!(profiles.at_elo(2500.0, Pace::Classical).is_some());
}

#[test]
fn profiles_are_found_by_name_in_the_order_of_the_file() {
    let profiles = Profiles::from_toml(BOTH).unwrap();
    assert_eq!(profiles.names().collect::<Vec<_>>(), ["strong", "engines", "weak"]);
    assert_eq!(profiles.get("WEAK").unwrap().draw_offset, -1.0);
    assert_eq!(profiles.get(NOMINAL), None);
    assert_eq!(profiles.first(), profiles.get("strong"));
    assert_eq!(Profiles::default().at_elo(2000.0, Pace::Classical), None);
}

#[test]
fn ratings_are_those_of_a_pace_and_beyond_them_those_of_its_neighbour() {
    let text = |name: &str, elo: u32, pace: &str, factor: f64| {
        format!("[{name}]\nelo = {elo}\ntime_control = \"{pace}\"\nwilo_factor = {factor}\ndraw_offset = 0.0\n")
    };
    let file = text("a", 2000, "blitz", 0.5)
        + &text("b", 2000, "classical", 0.9)
        + &text("c", 2400, "classical", 1.1)
        + &text("d", 1000, "rapid", 0.1)
        + &text("e", 2200, "rapid", 5.0);
    let profiles = Profiles::from_toml(&file).unwrap();
    let factor = |elo, pace| profiles.at_elo(elo, pace).map(|profile| profile.wilo_factor);
    for (elo, pace, expected) in [
        (1800.0, Pace::Blitz, Some(0.5)),
        (1800.0, Pace::Bullet, Some(0.5)),
        (2200.0, Pace::Classical, Some(1.0)),
        (1500.0, Pace::Classical, Some(0.5)),
        (900.0, Pace::Classical, Some(0.1)),
        (2400.0, Pace::Rapid, Some(1.1)),
        (2000.0, Pace::Exhibition, None),
    ] {
        match (factor(elo, pace), expected) {
            (Some(found), Some(expected)) => assert!((found - expected).abs() < 1e-9, "{elo} {pace}: {found}"),
            (found, expected) => assert_eq!(found, expected, "{elo} {pace}"),
        }
    }
}

#[test]
fn profiles_of_a_pace_go_before_those_of_its_neighbour() {
    let profiles = Profiles::shipped();
    let factor = |elo, pace| profiles.at_elo(elo, pace).unwrap().wilo_factor;
    let own = |name: &str| profiles.get(name).unwrap().wilo_factor;
    assert_eq!(factor(1300.0, Pace::Blitz), own("club-blitz"));
    assert_eq!(factor(1300.0, Pace::Bullet), own("club-bullet"));
    assert!((factor(1425.0, Pace::Bullet) - own("club-bullet")).abs() < 0.02);
}

#[test]
fn the_side_to_move_may_hope_too_much() {
    let sober = Profile { wilo_turn: -0.5, ..Profile::PLAIN };
    let hopeful = Wdl::from_scores(1.5, 0.5);
    let level = Wdl::from_scores(bent(1.5) - 0.5, 0.5);
    assert!((sober.apply(hopeful, traits(78)).win - level.win).abs() < 1e-9);
    assert_eq!(sober.apply(hopeful, traits(0)), Profile::PLAIN.apply(hopeful, traits(0)));
    let careful = Profile { wilo_draw: -0.5, ..Profile::PLAIN };
    let nearer = Wdl::from_scores((1.0 - 0.5 * model::sigmoid(0.5)) * bent(1.5), 0.5);
    assert!((careful.apply(hopeful, traits(50)).win - nearer.win).abs() < 1e-9);
    let gloomy = Profile { wilo_behind: 0.5, draw_behind: -0.5, ..Profile::PLAIN };
    assert_eq!(gloomy.apply(hopeful, traits(50)), Profile::PLAIN.apply(hopeful, traits(50)));
    let (behind, worse) = (Wdl::from_scores(-1.0, 0.5), Wdl::from_scores(1.5 * bent(-1.0), 0.5 + 0.5 * bent(-1.0)));
    assert!((gloomy.apply(behind, traits(50)).loss - worse.loss).abs() < 1e-9);
    let draw = sober.apply(Wdl { win: 0.0, draw: 1.0, loss: 0.0 }, traits(50));
    assert_eq!(draw.win, draw.loss);
}

#[test]
fn an_advantage_tells_the_less_of_draws_the_likelier_they_are() {
    let profile = Profile { draw_sharp: -0.5, draw_near: 0.4, draw_late: 2.0, draw_idle: 0.3, ..Profile::PLAIN };
    for (material, late) in [(78, 0.0), (39, 0.25), (0, 2.0)] {
        for d in [-2.0, 0.0, 3.0] {
            let found = profile.apply(Wdl::from_scores(-1.5, d), Traits { clock: 8, ..traits(material) }).draw;
            let v = bent(1.5);
            let size = -0.5 * v + 0.4 * (v + 2.0 - (v * v + 4.0).sqrt());
            let logit = d + late + 0.5 * 0.3 + (1.0 - model::sigmoid(d)) * size;
            assert!((found - model::sigmoid(logit)).abs() < 1e-9, "{material} {d}");
        }
    }
}

#[test]
fn a_draw_by_the_rules_can_be_doubted() {
    let doubting = Profile { draw_certain: 1.0, draw_certain_endgame: 1.0, ..Profile::PLAIN };
    let draw = Wdl { win: 0.0, draw: 1.0, loss: 0.0 };
    assert!((Profile::PLAIN.apply(draw, traits(0)).draw - model::sigmoid(CERTAIN + CERTAIN_ENDGAME)).abs() < 1e-9);
    for (material, d) in [(78, 1.0), (39, 1.5), (0, 2.0)] {
        let doubted = doubting.apply(draw, traits(material));
        assert!((doubted.draw - model::sigmoid(d)).abs() < 1e-9 && doubted.win == doubted.loss);
    }
    // A position that is dead drawn by its evaluation alone is as drawn as that says.
    assert!(doubting.apply(Wdl::from_scores(0.0, 9.0), traits(50)).draw > 0.999);
    let drawish = Wdl::from_scores(0.0, 2.0);
    assert_eq!(doubting.apply(drawish, traits(50)), Profile::PLAIN.apply(drawish, traits(50)));
}

#[test]
fn a_bare_king_does_not_win() {
    let (board, fifty) = ("k7/P7/8/8/8/8/8/1K6".parse::<shakmaty::fen::Fen>().unwrap(), Wdl::from_scores(0.0, 0.0));
    let board = board.as_setup().board.clone();
    let white = Profile::PLAIN.apply(fifty, Traits::of(&board, Color::White, 0));
    assert!((white.win - 0.25).abs() < 1e-9 && white.loss == 0.0 && (white.draw - 0.75).abs() < 1e-9, "{white:?}");
    let black = Nominal::shipped().apply(fifty, Traits::of(&board, Color::Black, 0), 5000);
    assert!(black.win == 0.0 && black.loss > 0.0 && (black.draw + black.loss - 1.0).abs() < 1e-9, "{black:?}");
}

#[test]
fn bad_files_say_where_and_why() {
    for (text, why) in [
        ("[a\n", "line 1"),
        ("[a]\nwilo_factor = 1\n\nx = = 2", "line 4"),
        ("a = 3", "'a': it is no table"),
        (
            "[a]\nwilo_factor = 1\ndraw_offset = 0\n[A]\nwilo_factor = 1\ndraw_offset = 0",
            "'a' and 'A' are the same name",
        ),
        ("[nominal]\nwilo_factor = 1.0\ndraw_offset = 0.0", "'nominal'"),
        ("[\"two words\"]\nwilo_factor = 1.0\ndraw_offset = 0.0", "'two words'"),
        ("[a]\nwilo_factor = 1.0", "missing field `draw_offset`"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 0.0\ncolour = 1", "unknown field `colour`"),
        ("[a]\nwilo_factor = \"1\"\ndraw_offset = 0.0", "profile 'a'"),
        ("[a]\nwilo_factor = nan\ndraw_offset = 0.0", "not finite"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 1e9", "above 100"),
        ("[a]\nwilo_factor = -1.0\ndraw_offset = 0.0", "wilo_factor must be positive"),
        ("[a]\nwilo_factor = 1.0\nwilo_endgame = -1.5\ndraw_offset = 0.0", "wilo_endgame"),
        ("[a]\nwilo_factor = 1.0\nwilo_behind = -1.5\ndraw_offset = 0.0", "wilo_behind"),
        ("[a]\nwilo_factor = 1.0\nwilo_behind = -0.5\nwilo_draw = -0.6\ndraw_offset = 0.0", "wilo_draw"),
        ("[a]\nwilo_factor = 1.0\nwilo_draw = 0.1\ndraw_offset = 0.0", "wilo_draw must not be positive"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 0.0\ndraw_factor = -1.0", "draw_factor"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 0.0\ndraw_wilo = 0.5", "draw_wilo"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 0.0\ntime_control = \"slow\"", "slow"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 0.0\ndraw_behind = 0.5", "draw_behind"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 0.0\ndraw_sharp = 0.5", "draw_sharp"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 0.0\ndraw_sharp = -0.5\ndraw_near = 0.6", "draw_near"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 0.0\nwilo_mate = 0.0", "wilo_mate must be positive"),
        ("[a]\nwilo_factor = 1.0\ndraw_offset = 0.0\nwilo_mate = 2.0\nwilo_mate_moves = -1.0", "wilo_mate_moves"),
    ] {
        let error = Profiles::from_toml(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    for (text, why) in [
        ("", "no profile"),
        ("[some]\nwilo_factor = 1.0\ndraw_offset = 0.0", "'some': its name is no number"),
        ("[0]\nwilo_factor = 1.0\ndraw_offset = 0.0", "'0': its name is no number"),
        ("[05]\nwilo_factor = 1.0\ndraw_offset = 0.0", "'05': its name is no number"),
        ("[5]\nelo = 2000\nwilo_factor = 1.0\ndraw_offset = 0.0", "'5': elo and time_control do not belong"),
        ("[5]\ntime_control = \"blitz\"\nwilo_factor = 1.0\ndraw_offset = 0.0", "do not belong"),
        ("[5]\nwilo_factor = 1.0\ndraw_offset = 0.0\ndraw_mate = -3.0", "'5': mates are certain here"),
        ("[5]\nwilo_factor = -1.0\ndraw_offset = 0.0", "'5': wilo_factor must be positive"),
    ] {
        let error = Nominal::from_toml(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}
