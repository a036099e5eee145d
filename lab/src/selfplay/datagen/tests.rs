use super::*;
use std::fs;
use tempfile::TempDir;

fn options(directory: &TempDir, name: &str, games: u64) -> Options {
    Options {
        games,
        threads: 1,
        nodes: 60,
        hard_nodes: None,
        openings: OpeningSource::Random(6),
        seed: 11,
        out: directory.path().join(name),
        chess960: false,
        syzygy: None,
        params: None,
    }
}

fn refused(options: &Options) -> String {
    format!("{:#}", run(options).unwrap_err())
}

fn bytes(options: &Options) -> Vec<u8> {
    fs::read(&options.out).unwrap()
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let directory = TempDir::new().unwrap();
    let whole = options(&directory, "whole", 8);
    run(&whole).unwrap();

    let threads = Options { threads: 3, ..options(&directory, "threads", 8) };
    run(&threads).unwrap();
    assert_eq!(bytes(&whole), bytes(&threads));

    let ends: Vec<usize> = {
        let mut games = dataset::read(&whole.out).unwrap();
        std::iter::from_fn(|| games.next().map(|game| game.map(|_| games.offset() as usize).unwrap())).collect()
    };
    assert_eq!(ends.len(), 8);
    // Interrupted before, within and after games.
    for (index, length) in [0, 1, ends[0] - 1, ends[0], ends[2] + 40, ends[6], ends[7]].into_iter().enumerate() {
        let resumed = options(&directory, &format!("resumed{index}"), 8);
        fs::write(&resumed.out, &bytes(&whole)[..length]).unwrap();
        fs::copy(settings_path(&whole.out), settings_path(&resumed.out)).unwrap();
        run(&resumed).unwrap();
        assert_eq!(bytes(&whole), bytes(&resumed), "{length}");
    }

    // Fewer games than there are: nothing happens.
    run(&Options { games: 2, ..whole.clone() }).unwrap();
    assert_eq!(bytes(&whole), bytes(&threads));
}

#[test]
fn other_settings_are_refused() {
    let directory = TempDir::new().unwrap();
    let first = options(&directory, "games", 2);
    run(&first).unwrap();
    let before = bytes(&first);
    let more = Options { games: 3, ..first.clone() };
    for (other, difference) in [
        (Options { nodes: 61, hard_nodes: Some(480), ..more.clone() }, "nodes = 60, not 61"),
        (Options { hard_nodes: Some(70), ..more.clone() }, "hard_nodes = 480, not 70"),
        (Options { seed: 12, ..more.clone() }, "seed = 11, not 12"),
        (Options { chess960: true, ..more.clone() }, "chess960 = false, not true"),
        (
            Options { syzygy: Some("../tests/data/syzygy".into()), ..more.clone() },
            "tables = none, not \"16 files, 4 pieces\"",
        ),
        (Options { openings: OpeningSource::Random(7), ..more.clone() }, "openings = \"random:6\", not \"random:7\""),
    ] {
        let error = refused(&other);
        assert!(error.contains(&format!("games: made with {difference}; ")), "{error}");
    }
    // A game that would not come out like this now.
    let mut games = dataset::read(&first.out).unwrap();
    games.next().unwrap().unwrap();
    let start = games.offset() as usize;
    let mut changed = before.clone();
    changed[start + 34] ^= 1;
    fs::write(&first.out, &changed).unwrap();
    assert!(refused(&more).contains("game 2 comes out differently"));
    fs::write(&first.out, &before).unwrap();

    let file = File::open(&first.out).unwrap();
    file.lock().unwrap();
    assert!(refused(&more).contains("in use by another process"));
    drop(file);

    fs::remove_file(settings_path(&first.out)).unwrap();
    assert!(refused(&more).contains("with their settings is missing"));
    assert_eq!(bytes(&first), before);
}

#[test]
fn corrupt_games_are_not_built_upon() {
    let directory = TempDir::new().unwrap();
    let first = options(&directory, "games", 2);
    run(&first).unwrap();
    let mut changed = bytes(&first);
    changed[32..34].fill(0xff);
    fs::write(&first.out, &changed).unwrap();
    let error = refused(&Options { games: 3, ..first.clone() });
    assert!(error.contains("games: corrupt at byte 32: illegal move"), "{error}");
    assert_eq!(bytes(&first), changed);
}

#[test]
fn chess960_games_come_from_its_start_positions() {
    let directory = TempDir::new().unwrap();
    let options = Options { chess960: true, openings: OpeningSource::Random(1), ..options(&directory, "games", 3) };
    run(&options).unwrap();
    let standard = halfpoint::position::Position::default();
    for game in dataset::read(&options.out).unwrap() {
        let start = game.unwrap().start;
        assert_ne!(start.board().kings() | start.board().rooks(), standard.board().kings() | standard.board().rooks());
    }
}

#[test]
fn mistakes_are_reported() {
    let directory = TempDir::new().unwrap();
    let packed = refused(&options(&directory, "games.zst", 1));
    assert!(packed.contains("games.zst: games are written uncompressed"), "{packed}");
    let nowhere = refused(&options(&directory, "no/games", 1));
    assert!(nowhere.contains("no/games: "), "{nowhere}");
    let params = directory.path().join("params.toml");
    fs::write(&params, "nonsense").unwrap();
    let weights = refused(&Options { params: Some(params), ..options(&directory, "games", 1) });
    assert!(weights.contains("params.toml, line 1: "), "{weights}");
    assert!(!directory.path().join("games").exists());
}
