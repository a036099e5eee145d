//! Work that was interrupted.

use crate::run::Run;
use std::fs;
use std::time::{Duration, Instant};
use std::{process::Stdio, thread};

const GAME: &str = include_str!("../../examples/game.pgn");
const ARGUMENTS: &str = "games.pgn --nodes 4000 --threads 2 --json out.json";

/// A run that was killed in the middle of its work, so that some of it is in a file.
fn interrupted(arguments: &str) -> Run {
    let run = Run::new(GAME);
    let unfinished = run.path("out.json.unfinished");
    let mut child = run.command(arguments).stdout(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let done = || fs::read_to_string(&unfinished).map_or(0, |text| text.lines().count());
    while done() < 20 {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "it goes on");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(run.files(), ["games.pgn", "out.json.unfinished"]);
    run
}

#[test]
fn interrupted_work_goes_on_where_it_was() {
    let whole = Run::new(GAME);
    assert!(whole.run(ARGUMENTS).status.success());

    let run = interrupted(ARGUMENTS);
    // As if it had been cut in the middle of a line.
    let mut text = run.read("out.json.unfinished");
    text += "{\"game\":0,\"ply\":3,\"no";
    fs::write(run.path("out.json.unfinished"), &text).unwrap();
    assert!(run.run(ARGUMENTS).status.success());
    assert_eq!(run.files(), ["games.pgn", "out.json"]);
    assert_eq!(run.read("out.json"), whole.read("out.json"));
}

#[test]
fn work_with_other_options_begins_anew() {
    let run = interrupted(ARGUMENTS);
    let other = ARGUMENTS.replace("--nodes 4000", "--nodes 1000");
    assert!(run.run(&other).status.success());
    let whole = Run::new(GAME);
    assert!(whole.run(&other).status.success());
    assert_eq!(run.read("out.json"), whole.read("out.json"));
}

#[test]
fn threads_do_not_matter() {
    let run = Run::new(GAME);
    let with = |threads: usize| run.json(&format!("games.pgn --nodes 1000 --threads {threads}"));
    assert_eq!(with(1), with(3));
}
