//! Rows, and which games they are of.

use super::super::row::BYTES;
use super::*;
use crate::tuning;
use crate::tuning::knots::Knots;
use halfpoint::eval::network::{bucket, inputs};
use halfpoint::eval::phase;
use std::collections::BTreeSet;

proptest! {
    #[test]
    fn rows_are_read_as_they_were_written(
        place in 0..40usize, wilo in any::<i16>(), draw in any::<i16>(), search_wilo in -32.0f32..32.0,
        search_draw in -32.0f32..32.0, result in 0..3usize,
    ) {
        let pieces = Pieces::of(&positions(40)[place]).unwrap();
        let row = Row { pieces, wilo, draw, search_wilo, search_draw, outcome: Outcome::ALL[result] };
        let read = Row::from_bytes(&row.to_bytes());
        prop_assert!((read.search_wilo - search_wilo).abs() < 0.001 && (read.search_draw - search_draw).abs() < 0.004);
        prop_assert_eq!(Row { search_wilo, search_draw, ..read }, row);
        prop_assert_eq!(read.to_bytes(), row.to_bytes());
    }

    #[test]
    fn any_bytes_are_a_row(bytes in any::<[u8; BYTES]>()) {
        let inputs = Row::from_bytes(&bytes).pieces.inputs();
        prop_assert!(inputs.views().iter().all(|view| view.iter().all(|&input| input < 768)) && inputs.phase <= 24);
    }
}

#[test]
fn inputs_are_those_of_the_engine() {
    for position in positions(300) {
        let of_row = Pieces::of(&position).unwrap().inputs();
        for (view, color) in of_row.views().iter().zip([Color::White, Color::Black]) {
            let mut sorted = view.to_vec();
            sorted.sort_unstable();
            assert_eq!(sorted, inputs(&position, color)[..], "{color} in {}", position.fen());
        }
        assert_eq!(of_row.bucket(), bucket(position.board().occupied().count()));
        assert_eq!(of_row.phase, phase(&position) as usize);
    }
}

/// `halfpoint-lab tune` by itself.
#[derive(Parser)]
struct Tune {
    #[command(flatten)]
    options: tuning::Options,
}

#[test]
fn games_held_out_are_those_of_the_tuner() {
    let folder = folder_with_games(80);
    let options = options(folder.path(), "out", &["--held-out", "0.3", "--seed", "5"]);
    let rows = prepared(&options).unwrap();
    let games: BTreeSet<usize> = rows.held_out.iter().map(|held_out| held_out.game).collect();
    let path = folder.path().join("games.vf").display().to_string();
    let tune = ["tune", &path, "--test", "0.3", "--validation", "0.1", "--seed", "5", "--noisy", "skip"];
    let data = tuning::data::read(&Tune::parse_from(tune).options, &Weights::terms(), &Knots::default()).unwrap();
    let tests: BTreeSet<usize> =
        data.splits[2].iter().flat_map(|block| &block.rows).map(|row| row.game as usize).collect();
    assert!(games.len() > 10 && rows.training > 100);
    assert_eq!(games, tests);
}

#[test]
fn rows_are_kept_for_the_next_run() {
    let folder = folder_with_games(20);
    let options = options(folder.path(), "out", &[]);
    let numbers = |rows: &Rows| (rows.training, rows.held_out.len());
    let first = numbers(&prepared(&options).unwrap());
    let path = folder.path().join("rows/00.rows");
    let rows = fs::read(&path).unwrap();
    let mark = || fs::write(&path, vec![0; rows.len()]).unwrap();
    let is_marked = || fs::read(&path).unwrap().iter().all(|&byte| byte == 0);
    mark();
    assert_eq!(numbers(&prepared(&options).unwrap()), first);
    assert!(is_marked());
    // What was not written to its end is written again, and so are rows of others.
    let text = fs::read_to_string(folder.path().join("rows/rows.txt")).unwrap();
    fs::write(folder.path().join("rows/rows.txt"), &text[..text.find("bytes").unwrap()]).unwrap();
    assert_eq!(numbers(&prepared(&options).unwrap()), first);
    assert_eq!(fs::read(&path).unwrap(), rows);
    mark();
    prepared(&Options { seed: 2, ..options.clone() }).unwrap();
    assert!(!is_marked());
    // More files, and then the first alone.
    let second = folder.path().join("second.vf");
    fs::copy(&options.data[0].path, &second).unwrap();
    let data = options.data.iter().cloned().chain([second.display().to_string().parse().unwrap()]).collect();
    prepared(&Options { data, ..options.clone() }).unwrap();
    assert_eq!(numbers(&prepared(&options).unwrap()), first);
    // Another file of the same size.
    mark();
    let mut games = fs::read(&options.data[0].path).unwrap();
    let last = games.len() - 1;
    games[last - 8..].reverse();
    fs::write(&options.data[0].path, &games).unwrap();
    let _ = prepared(&options);
    assert!(!path.exists() || !is_marked());
}

#[test]
fn damaged_rows_are_not_trained_with() {
    let folder = folder_with_games(20);
    let options = options(folder.path(), "out", &[]);
    prepared(&options).unwrap();
    let path = folder.path().join("rows/03.rows");
    fs::write(&path, &fs::read(&path).unwrap()[BYTES..]).unwrap();
    assert!(format!("{:#}", prepared(&options).err().unwrap()).contains("not as long as it was"));
}

#[test]
fn files_of_others_stay() {
    let folder = folder_with_games(20);
    let options = options(folder.path(), "out", &[]);
    for name in ["rows.txt", "00.rows", "held-out.rows"] {
        let path = options.rows.join(name);
        fs::create_dir_all(&options.rows).unwrap();
        fs::write(&path, "notes").unwrap();
        let error = format!("{:#}", run(&options).unwrap_err());
        assert!(error.contains(name) && error.contains("--overwrite"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "notes");
        assert_eq!(fs::read_dir(&options.rows).unwrap().count(), 1);
        fs::remove_file(path).unwrap();
    }
    fs::write(options.rows.join("rows.txt"), "notes").unwrap();
    prepared(&Options { overwrite: true, ..options }).unwrap();
}

#[test]
fn what_fails_leaves_nothing() {
    let folder = folder_with_games(20);
    let options = options(folder.path(), "out", &[]);
    for held_out in [0.0, 1.0] {
        let error = format!("{:#}", run(&Options { held_out, ..options.clone() }).unwrap_err());
        assert!(error.contains("held out") || error.starts_with("no quiet positions"), "{error}");
    }
    fs::write(&options.data[0].path, "no games").unwrap();
    run(&options).unwrap_err();
    assert!(!options.out.exists());
    #[cfg(unix)]
    {
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let data = vec![pipe.display().to_string().parse().unwrap()];
        let error = format!("{:#}", run(&Options { data, ..options.clone() }).unwrap_err());
        assert!(error.contains("pipe: not a regular file"), "{error}");
    }
    assert!(!options.out.exists());
}

#[test]
fn files_without_positions_to_train_with_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.epd");
    fs::write(&path, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;1-0\n").unwrap();
    let data = vec![path.display().to_string().parse().unwrap()];
    let error = format!("{:#}", run(&Options { data, ..options(folder.path(), "out", &[]) }).unwrap_err());
    assert!(error.starts_with("no quiet positions"), "{error}");
}
