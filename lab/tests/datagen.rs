//! `halfpoint-lab datagen` as a user runs it.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};
use tempfile::TempDir;

fn datagen(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halfpoint-lab"));
    command.args(["datagen", "--games", "40", "--nodes", "150", "--threads", "2", "--out"]).arg(out);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn killed_runs_lose_and_repeat_no_game() {
    let directory = TempDir::new().unwrap();
    let (whole, killed) = (directory.path().join("whole"), directory.path().join("killed"));
    assert!(datagen(&whole).status().unwrap().success());
    let mut kills = 0;
    for milliseconds in [20, 40, 80, 120, 160, 200] {
        let mut run = datagen(&killed).spawn().unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        kills += usize::from(run.try_wait().unwrap().is_none());
        run.kill().unwrap();
        run.wait().unwrap();
    }
    assert!(kills > 0, "every run ended before it was killed");
    assert!(datagen(&killed).status().unwrap().success());
    assert!(fs::read(&whole).unwrap() == fs::read(&killed).unwrap(), "the files differ");
}
