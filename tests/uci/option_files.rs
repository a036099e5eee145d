//! Options that name files: what is no small regular file is refused at once, and nothing of it is printed.

use crate::engine::{AT_ONCE, Engine, assert_one_info_string};
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const OPTIONS: [&str; 5] = ["EvalParams", "EvalFile", "HumanFile", "WDL_ProfileFile", "WDL_NominalFile"];

/// Sets an option to a path; the engine must answer at once, with one line that names the file.
fn refusal(engine: &mut Engine, option: &str, path: &Path) -> String {
    engine.send(&format!("setoption name {option} value {}", path.display()));
    engine.send("isready");
    let mut lines = engine.until_within("readyok", AT_ONCE);
    lines.pop();
    assert_one_info_string(&lines, option);
    assert!(lines[0].contains(path.to_str().unwrap()), "{lines:?}");
    lines.remove(0)
}

#[cfg(unix)]
#[test]
fn what_never_ends_is_not_read() {
    let folder = TempDir::new().unwrap();
    let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    let mut engine = Engine::start();
    for option in OPTIONS {
        for path in [&pipe, &link, Path::new("/dev/zero"), Path::new("/dev/ptmx"), folder.path()] {
            let line = refusal(&mut engine, option, path);
            assert!(line.ends_with("not a regular file"), "{line}");
        }
    }
    // Folders of tables with what is none.
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    assert!(Command::new("mkfifo").arg(tables.join("KQvK.rtbw")).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", tables.join("KRvK.rtbw")).unwrap();
    for path in [tables.as_path(), &pipe, Path::new("/dev/zero")] {
        engine.send(&format!("setoption name SyzygyPath value {}", path.display()));
        engine.send("isready");
        engine.until_within("readyok", AT_ONCE);
        engine.ask("position fen 4k3/8/8/8/8/8/8/4K2Q w - - 0 1");
        engine.search("go depth 2");
    }
    engine.send("quit");
    engine.close();
}

#[test]
fn files_that_say_nothing_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("empty");
    let mut engine = Engine::start();
    for text in ["", "# nothing\n"] {
        fs::write(&path, text).unwrap();
        for option in OPTIONS {
            refusal(&mut engine, option, &path);
        }
    }
}

#[test]
fn large_files_are_not_read() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("large.toml");
    File::create(&path).unwrap().set_len(1 << 34).unwrap();
    let mut engine = Engine::start();
    for option in OPTIONS {
        let line = refusal(&mut engine, option, &path);
        assert!(line.ends_with("larger than 4 MiB"), "{line}");
    }
}

/// Whoever can set options of an engine on another machine is not to read that machine's files.
#[test]
fn no_line_of_a_file_is_printed_back() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("secret");
    let mut engine = Engine::start();
    for text in [
        "root:$6$hunter2:19000:0:99999:7:::\n",
        "-----BEGIN KEY-----\nhunter2\n",
        "hunter2\n",
        "\"hunter2\" 5\n",
        "[hunter2\nx = 1",
        "\u{1}hunter2\n",
    ] {
        fs::write(&path, text).unwrap();
        for option in OPTIONS {
            let line = refusal(&mut engine, option, &path);
            // A network has no lines.
            assert!(option == "EvalFile" || line.contains("line 1"), "{line}");
            assert!(!line.contains("hunter"), "{line}");
        }
    }
    fs::write(&path, b"\xff\xfehunter2").unwrap();
    for option in OPTIONS {
        assert!(!refusal(&mut engine, option, &path).contains("hunter"));
    }
}
