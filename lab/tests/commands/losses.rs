//! What is there is not lost.

use super::{ANSWER, Folder, Run, data};
use std::fs::{self, File};

#[test]
fn settings_of_another_program_are_not_overwritten() {
    let folder = Folder::new();
    for foreign in ["wilo_mg = [1]\n", "no TOML", "engine = 1\n"] {
        folder.write("eval.toml", foreign);
        folder.assert_refused(
            "datagen --games 1 --nodes 1 --out eval",
            "its settings go to eval.toml, which another program wrote",
        );
        assert_eq!(folder.read("eval.toml"), foreign);
        assert!(!fs::exists(folder.path("eval")).unwrap());
    }
    // Its own are: a run that was ended before its first game.
    fs::remove_file(folder.path("eval.toml")).unwrap();
    folder.done("datagen --games 1 --nodes 1 --out eval");
    File::create(folder.path("eval")).unwrap();
    folder.done("datagen --games 1 --nodes 2 --out eval");
    assert!(folder.read("eval.toml").contains("nodes = 2"));
}

#[test]
fn outputs_differ_from_each_other_and_from_inputs() {
    let folder = Folder::new();
    let engine = folder.engine("engine.sh", "", ANSWER);
    fs::copy(data!("engine-games.pgn"), folder.path("games.pgn")).unwrap();
    fs::copy(data!("engine-games-counts.json"), folder.path("counts.json")).unwrap();
    fs::create_dir(folder.path("sub")).unwrap();
    fs::create_dir(folder.path("all")).unwrap();
    fs::copy(data!("engine-games.pgn"), folder.path("all/games.pgn")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("games.pgn", folder.path("link.pgn")).unwrap();
    let games = if cfg!(unix) { "link.pgn" } else { "./games.pgn" };
    let verify = format!("verify {games} --engine {engine} --no-refit --overwrite");
    for command in [
        format!("{verify} --json x --plot ./x"),
        format!("{verify} --plot x --plot-ratings sub/../x"),
        format!("{verify} --json games.pgn"),
        format!("verify all --engine {engine} --no-refit --overwrite --json all/games.pgn"),
        format!("profile {games} --name a -o ./games.pgn"),
        format!("count {games} -o games.pgn --overwrite"),
        "count all -o sub/../all/games.pgn --overwrite".to_owned(),
        "fit counts.json --figure x --figure-counts ./x".to_owned(),
        "fit counts.json --figure ./counts.json --overwrite".to_owned(),
        format!("tune {games} --out games.pgn --overwrite"),
        format!("tune {games} --out sub/index.html --report sub"),
        format!("tune {games} --start eval.toml --out ./eval.toml --overwrite"),
        format!("datagen --games 1 --openings {games} --out games.pgn"),
        "datagen --games 1 --params eval.toml --out eval".to_owned(),
    ] {
        fs::copy(data!("../../engine-params/eval.toml"), folder.path("eval.toml")).unwrap();
        let Run { error, code, .. } = folder.lab(&command);
        let is_said = error.contains("are the same file") || error.contains("it is an input");
        assert!(code == Some(1) && is_said && error.lines().count() == 1, "{command}: {error}");
    }
    assert_eq!(fs::read(folder.path("games.pgn")).unwrap(), fs::read(data!("engine-games.pgn")).unwrap());
    assert!(!["x", "sub/weights.csv", "eval"].iter().any(|name| fs::exists(folder.path(name)).unwrap()));
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error_but_for_a_closed_pipe() {
    let folder = Folder::new();
    let engine = folder.engine("engine.sh", "", ANSWER);
    let counts = data!("engine-games-counts.json");
    folder.done("datagen --games 8 --nodes 1 --out games.vf");
    for command in [
        "--help".to_owned(),
        "data info games.vf".to_owned(),
        "data check games.vf".to_owned(),
        format!("count {} -o counts.json", data!("engine-games.pgn")),
        format!("fit {counts} --win-min 1"),
        format!("verify games.vf --nodes 1 --no-refit --engine {engine}"),
        "datagen --games 1 --nodes 1 --out one.vf".to_owned(),
    ] {
        let run = |out: std::process::Stdio| {
            let log = folder.path("log");
            let code = super::end(folder.start(&command, out, File::create(&log).unwrap())).code();
            let error = folder.read("log");
            // Warnings of the fit are none of the output's.
            (code, error.lines().filter(|line| line.starts_with("error")).collect::<String>())
        };
        let (code, error) = run(File::options().write(true).open("/dev/full").unwrap().into());
        assert!(
            code == Some(1) && error.starts_with("error: cannot write to standard output: No space"),
            "{command}: {error}"
        );
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(run(writer.into()), (Some(0), String::new()), "{command}");
    }
}
