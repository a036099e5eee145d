//! `datagen`.

use super::{Folder, end};
use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn datagen(folder: &Folder, out: &str) -> Child {
    let line = format!("datagen --games 40 --nodes 150 --threads 2 --out {out}");
    folder.start(&line, Stdio::null(), Stdio::null())
}

#[test]
fn killed_runs_lose_and_repeat_no_game() {
    let folder = Folder::new();
    assert!(end(datagen(&folder, "whole")).success());
    let mut kills = 0;
    for milliseconds in [20, 40, 80, 120, 160, 200] {
        let mut run = datagen(&folder, "killed");
        sleep(Duration::from_millis(milliseconds));
        kills += usize::from(run.try_wait().unwrap().is_none());
        run.kill().unwrap();
        run.wait().unwrap();
    }
    assert!(kills > 0, "every run ended before it was killed");
    assert!(end(datagen(&folder, "killed")).success());
    assert!(fs::read(folder.path("whole")).unwrap() == fs::read(folder.path("killed")).unwrap(), "the files differ");
}
