//! Games of several time controls and ratings in one file.

use super::*;
use shakmaty::san::SanPlus;

/// Level of the bullet games against the classical ones, and what 100 Elo are worth.
const FACTOR: f64 = 0.7;
const OFFSET: f64 = 0.8;
const WORTH_CP: f64 = 60.0;

/// A file of games of one move each, half of them bullet, half classical, with results as the evaluation and the level of the
/// time control have them.
fn mixed_games(games: u32) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(61);
    let mut text = String::new();
    let mut number = 0;
    while number < games {
        let choices: Vec<u32> = (0..random.random_range(4..60)).map(|_| random.random()).collect();
        let position = walk(random.random_range(0..5), choices.into_iter()).pop().unwrap();
        let Some(&m) = position.legal_moves().first() else { continue };
        number += 1;
        // The first group is the larger one.
        let is_bullet = number % 21 < 10;
        let (factor, offset, tag) = if is_bullet { (FACTOR, OFFSET, "60+1") } else { (1.0, 0.0, "5400+30") };
        let advantage = random.random_range(-200..=200);
        let scores = evaluate(&position, &Weights::terms());
        let white = f64::from(position_sign(&position) * scores.wilo) + WORTH_CP * f64::from(advantage) / 100.0;
        let wdl = Wdl::from_scores(factor * white / WILO_UNITS, f64::from(scores.draw) / DRAW_UNITS + offset);
        let dice: f64 = random.random();
        let result = match dice {
            _ if dice < wdl.win => "1-0",
            _ if dice < wdl.win + wdl.draw => "1/2-1/2",
            _ => "0-1",
        };
        let chess = position.to_chess();
        let san = SanPlus::from_move(chess, position.to_shakmaty(m));
        let (fen, dots) = (position.fen(), if position.turn().is_white() { "." } else { "..." });
        text += &format!(
            "[TimeControl \"{tag}\"]\n[WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n[FEN \"{fen}\"]\n[Result \"{result}\"]\n\n\
             {}{dots} {san} {result}\n\n",
            2200 + advantage / 2,
            2200 + advantage / 2 - advantage,
            position.fullmoves(),
        );
    }
    text
}

/// The numbers of a line of the record, with what stands between them left out.
fn numbers(record: &str, line: &str) -> Vec<f64> {
    let line = record.lines().find(|found| found.contains(line)).unwrap_or_else(|| panic!("no {line}: {record}"));
    let value = line.split('|').nth(2).unwrap();
    value.split([' ', '(', ')', ',']).filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn levels_of_time_controls_in_one_file_are_recovered() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    fs::write(path("mixed.pgn"), mixed_games(2100)).unwrap();
    let (games, out) = (path("mixed.pgn"), path("new.toml"));
    let all = ["--noisy", "keep", "--checks", "keep", "--mates", "keep", "--validation", "0", "--test", "0.05"];
    let fixed = all_but(&[MATERIAL, PST_KING, SPACE, TEMPO, WILO_SIZE, DRAW_CURVE]);
    let near = ["--prior-wilo", "2", "--prior-draw", "2", "--out", &out, "--fix", &fixed];
    run(&options(&[&[games.as_str()], &all[..], &near[..]].concat())).unwrap();
    let record = fs::read_to_string(path("new.record.md")).unwrap();
    let level = numbers(&record, "level of bullet 2000-2399");
    let [factor, percent, offset, of_offset] = level[..] else { panic!("{level:?}") };
    assert!((factor / FACTOR - 1.0).abs() < 2.0 * percent / 100.0 && percent < 20.0, "{level:?}");
    assert!((offset - OFFSET).abs() < 2.0 * of_offset && of_offset < 0.4, "{level:?}");
    let worth = numbers(&record, "worth of 100 Elo");
    let [worth, of_worth] = worth[..] else { panic!("{worth:?}") };
    assert!((worth - WORTH_CP).abs() < 2.0 * of_worth && of_worth < 30.0, "{worth} ± {of_worth}");
}
