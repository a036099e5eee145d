use super::*;

fn opponent(text: &str) -> Opponent {
    text.parse().unwrap()
}

fn white_elo(contempt: &Contempt, turn: Color, analysis: bool) -> i32 {
    contempt.in_force(turn, analysis).white_elo.into()
}

#[test]
fn opponents_are_read() {
    let known = opponent("GM 2800 human Gary  Kasparov");
    assert_eq!(known.rating(), Some(2800));
    assert_eq!(known.to_string(), "GM Gary Kasparov (human) 2800");
    let unknown = opponent("none None COMPUTER Shredder");
    assert_eq!((unknown.rating(), unknown.to_string().as_str()), (None, "Shredder (computer) of unknown rating"));
    assert_eq!(opponent("wgm none human A").to_string(), "WGM A (human) of at least 2300 by the title");
    assert_eq!(opponent("LM none human").rating(), None);
}

#[test]
fn a_title_is_worth_no_more_than_a_rating() {
    assert_eq!(opponent("GM 2350 human A").rating(), Some(2350));
    assert_eq!(opponent("none 0 human A").rating(), None);
    let by_title = |title: &str| opponent(&format!("{title} none human A")).rating().unwrap();
    assert!(["GM", "IM", "FM", "CM"].map(by_title).is_sorted_by(|a, b| a > b));
    assert!(["WGM", "WIM", "WFM", "WCM"].map(by_title).is_sorted_by(|a, b| a > b));
}

#[test]
fn bad_descriptions_say_what_is_wrong() {
    for (text, part) in [
        ("", "empty"),
        ("GM", "rating"),
        ("GM 2800", "kind"),
        ("GM many human A", "rating"),
        ("GM -5 human A", "rating"),
        ("GM -1 human A", "rating"),
        ("GM 99999999999 human A", "rating"),
        ("GM 2800 dog A", "kind"),
    ] {
        let message = text.parse::<Opponent>().unwrap_err().to_string();
        assert!(
            message.starts_with(&format!("'{text}'")) && message.rsplit(": ").next().unwrap().contains(part),
            "{message}"
        );
    }
}

#[test]
fn sources_have_an_order() {
    let mut contempt = Contempt { own_elo: 3000, opponent: Some(opponent("none 2700 human A")), ..Contempt::default() };
    let now = |contempt: &Contempt| white_elo(contempt, Color::White, false);
    assert_eq!(now(&contempt), 0, "nothing was asked for");
    contempt.auto = true;
    assert_eq!(now(&contempt), 300);
    contempt.advantage = -80;
    assert_eq!(now(&contempt), -80);
    contempt.elo = 25;
    assert_eq!(now(&contempt), 25);
    contempt.auto = false;
    assert_eq!(now(&contempt), 25);
    let far = Contempt { auto: true, advantage: 5000, ..Contempt::default() };
    assert_eq!(now(&far), MAX_CONTEMPT);
    assert_eq!(now(&Contempt { advantage: -5000, ..far }), -MAX_CONTEMPT);
}

#[test]
fn what_is_missing_is_reported() {
    let auto = Contempt { auto: true, ..Contempt::default() };
    for contempt in [
        auto.clone(),
        Contempt { own_elo: 3000, ..auto.clone() },
        Contempt { opponent: Some(opponent("none 2700 human A")), ..auto.clone() },
    ] {
        let force = contempt.in_force(Color::White, false);
        assert_eq!(force.white_elo, 0);
        assert!(
            force.message(eval::Contempt::NONE, false).starts_with("contempt 0: AutoContempt knows neither"),
            "{}",
            force.message(eval::Contempt::NONE, false)
        );
    }
    let unrated = Contempt { own_elo: 3000, opponent: Some(opponent("none none human A")), ..auto };
    let message = unrated.in_force(Color::White, false).message(eval::Contempt::NONE, false);
    assert_eq!(message, "contempt 0: by OwnElo 3000 against A (human) of unknown rating");
    assert_eq!(Contempt::default().in_force(Color::White, true), InForce::default());
}

#[test]
fn the_side_is_as_chosen_in_play_and_analysis() {
    use Color::{Black, White};
    for (side, in_play, in_analysis) in [
        (Side::Play, [100, -100], [0, 0]),
        (Side::White, [100, 100], [100, 100]),
        (Side::Black, [-100, -100], [-100, -100]),
        (Side::Off, [0, 0], [0, 0]),
    ] {
        let contempt = Contempt { elo: 100, side, ..Contempt::default() };
        assert_eq!([White, Black].map(|turn| white_elo(&contempt, turn, false)), in_play, "{side:?}");
        assert_eq!([White, Black].map(|turn| white_elo(&contempt, turn, true)), in_analysis, "{side:?}");
    }
    let sides = Side::NAMES.map(|name| Side::parse(&name.to_uppercase()));
    assert_eq!(sides, [Side::Play, Side::White, Side::Black, Side::Off].map(Some));
    assert_eq!(Side::parse("both"), None);
}

#[test]
fn messages_name_value_side_source_and_print() {
    let contempt = Contempt { elo: -40, ..Contempt::default() };
    let force = contempt.in_force(Color::Black, false);
    let wilo = eval::Contempt { middlegame: 40, endgame: 8 };
    assert_eq!(
        force.message(wilo, false),
        "contempt -40 Elo for Black, by Contempt: +0.40 pawns of w for White with all pieces, +0.08 with none, scores and \
         W/D/L are printed without it"
    );
    assert!(force.message(wilo, true).ends_with("printed with it"));
}
