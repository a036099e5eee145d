//! Work that was interrupted.

use crate::run::Run;
use std::fs;
use std::time::{Duration, Instant};
use std::{io::Read, process::Stdio, thread};

const GAME: &str = include_str!("../../examples/game.pgn");
const ARGUMENTS: &str = "games.pgn --nodes 4000 --threads 2 --json out.json";

#[test]
fn interrupted_work_goes_on_where_it_was() {
    let whole = Run::new(GAME);
    assert!(whole.run(ARGUMENTS).status.success());

    let run = Run::new(GAME);
    let unfinished = run.path("out.json.unfinished");
    let mut child = run.command(ARGUMENTS).stdout(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let done = || fs::read_to_string(&unfinished).map_or(0, |text| text.lines().count());
    while done() < 20 {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "it goes on");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // As if it had been cut in the middle of a line.
    let mut text = fs::read_to_string(&unfinished).unwrap();
    text += "{\"game\":0,\"ply\":3,\"no";
    fs::write(&unfinished, &text).unwrap();
    assert_eq!(run.files(), ["games.pgn", "out.json.unfinished"]);
    assert!(run.run(ARGUMENTS).status.success());
    assert_eq!(run.files(), ["games.pgn", "out.json"]);
    assert_eq!(run.read("out.json"), whole.read("out.json"));
}

#[test]
fn work_with_other_options_begins_anew() {
    let run = Run::new("1. e4 *\n");
    let header = "{\"journal\":1,\"engine\":\"x\",\"search\":\"\",\"hash_mib\":16,\"games\":[]}\n";
    fs::write(run.path("out.json.unfinished"), header).unwrap();
    assert!(run.run("games.pgn --depth 2 --json out.json").status.success());
    let mut text = String::new();
    fs::File::open(run.path("out.json")).unwrap().read_to_string(&mut text).unwrap();
    assert!(text.contains("\"limits\":\"depth 2\""));
}

#[test]
fn threads_do_not_matter() {
    let run = Run::new(GAME);
    let with = |threads: usize| run.json(&format!("games.pgn --nodes 1000 --threads {threads}"));
    assert_eq!(with(1), with(3));
}
