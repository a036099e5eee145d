//! Whole runs: from games to a network and its report.

use super::super::train;
use super::*;
use std::time::Duration;

#[test]
fn from_games_to_a_network() {
    let folder = folder_with_games(60);
    let path = |name: &str| folder.path().join(name);
    fs::write(path("base.toml"), halfpoint::eval::tuning::SHIPPED).unwrap();
    let baseline = path("base.toml").display().to_string();
    let options = options(folder.path(), "a", &["--held-out", "0.2", "--baseline", &baseline]);
    let other = Options { out: path("b"), ..options.clone() };
    on_one_thread(|| [&options, &other].map(|options| run(options).unwrap()));
    let files = |name: &str| ["a", "b"].map(|out| fs::read(path(out).join(name)).unwrap());
    let [network, again] = files("network.bin");
    assert!(network == again, "the same seed on one thread, but another file");
    assert_eq!(halfpoint::eval::network::Network::from_bytes(&network).unwrap().units(), 16);
    let record = String::from_utf8(files("record.md")[0].clone()).unwrap();
    for part in
        ["# A network of 16 units", "The games' level: w × ", "| the terms |", "base.toml |", "| with the network |"]
    {
        assert!(record.contains(part), "{part} in {record}");
    }
    let page = String::from_utf8(files("index.html")[0].clone()).unwrap();
    assert!(page.matches("<svg").count() >= 10 && page.ends_with("</body></html>\n") && !page.contains("NaN"));
    // A finished run tells again what it found.
    on_one_thread(|| run(&options)).unwrap();
    assert_eq!(String::from_utf8(fs::read(path("a/record.md")).unwrap()).unwrap(), record);
}

#[test]
fn an_interrupted_run_ends_as_a_whole_one() {
    let folder = folder_with_games(40);
    let options = options(folder.path(), "whole", &[]);
    let (origin, rows) = (Origin::of(&options).unwrap(), prepared(&options).unwrap());
    ["whole", "often", "seldom"].iter().for_each(|out| fs::create_dir(folder.path().join(out)).unwrap());
    let hour = Duration::from_secs(3600);
    on_one_thread(|| {
        let whole = train::train::<16>(&options, &origin, &rows).unwrap();
        // The state is that of the bucket before, or of the last whole epoch.
        for (out, interval) in [("often", Duration::ZERO), ("seldom", hour)] {
            let parted = Options { out: folder.path().join(out), ..options.clone() };
            for bucket in [20, 64 + 10, 64 + 50] {
                train::train_until::<16>(&parted, &origin, &rows, interval, |done| done == bucket).unwrap();
            }
            let ended = train::train::<16>(&parted, &origin, &rows).unwrap();
            assert!(ended.model == whole.model && ended.losses == whole.losses, "{out}");
        }
    });
}

#[test]
fn a_run_with_other_options_is_another_run() {
    let folder = folder_with_games(20);
    let options = Options { epochs: 1, ..options(folder.path(), "out", &[]) };
    run(&options).unwrap();
    let refused = |options: Options| format!("{:#}", run(&options).unwrap_err());
    assert!(refused(Options { rate: 0.1, ..options.clone() }).contains("a run with other options or games"));
    // Its rows stay those of the run that may go on.
    let rows = fs::read(options.rows.join("rows.txt")).unwrap();
    assert!(refused(Options { held_out: 0.3, ..options.clone() }).contains("a run with other options or games"));
    assert_eq!(fs::read(options.rows.join("rows.txt")).unwrap(), rows);
    let start = Some(options.out.join("network.bin"));
    assert!(refused(Options { start: start.clone(), ..options.clone() }).contains("it is an input"));
    let [rows, out] = ["rows2", "out2"].map(|name| folder.path().join(name));
    let other = Options { start, units: 32, rows, out, ..options.clone() };
    assert!(refused(other.clone()).contains("--units 32"));
    assert!(!other.rows.exists() && !other.out.exists());
    fs::write(options.out.join("state.json"), "{}").unwrap();
    assert!(refused(options.clone()).contains("state.json: not the state of a run"));
    run(&Options { overwrite: true, ..options.clone() }).unwrap();
    fs::write(options.out.join("record.md"), "another's").unwrap();
    assert!(refused(options).contains("--overwrite"));
}

#[test]
fn a_training_that_diverges_leaves_no_state() {
    let folder = folder_with_games(20);
    let options = Options { rate: 1e5, ..options(folder.path(), "out", &[]) };
    assert!(format!("{:#}", run(&options).unwrap_err()).contains("--rate"));
    assert!(!options.out.exists());
    run(&Options { rate: 0.001, epochs: 1, ..options }).unwrap();
}
