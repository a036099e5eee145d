//! A file of games: what is read is legal, and read again as it was once it is written.
#![no_main]

use halfpoint_lab::dataset::{encode, read};
use std::fs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("games.vf"), folder.path().join("copy.vf"));
    fs::write(&path, data).unwrap();
    let Ok(games) = read(&path) else { return };
    for game in games.map_while(Result::ok) {
        let mut bytes = Vec::new();
        encode(&game, &mut bytes).unwrap();
        fs::write(&copy, &bytes).unwrap();
        let again = read(&copy).unwrap().next().unwrap().unwrap();
        assert_eq!((again.start.fen(), &again.plies), (game.start.fen(), &game.plies));
        assert_eq!((again.outcome, again.ending), (game.outcome, game.ending));
        assert_eq!(again.last_position().fen(), game.last_position().fen());
    }
});
