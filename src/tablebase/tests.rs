use super::*;
use shakmaty::Color;
use std::fs;
use tempfile::TempDir;

const WHITE: Option<KnownOutcome> = Some(KnownOutcome::Decisive { winner: Color::White });
const BLACK: Option<KnownOutcome> = Some(KnownOutcome::Decisive { winner: Color::Black });
const DRAW: Option<KnownOutcome> = Some(KnownOutcome::Draw);

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy")
}

fn outcome(tables: &Tables, fen: &str) -> Result<Option<KnownOutcome>, TablesError> {
    tables.outcome(&Position::from_fen(fen, true).unwrap())
}

#[test]
fn results_are_those_of_best_play() {
    let tables = Tables::open(&directory()).unwrap();
    assert_eq!((tables.count(), tables.max_pieces()), (10, 3));
    let cases = [
        ("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", WHITE),
        ("4k3/8/8/8/8/8/8/3QK3 b - - 0 1", WHITE),
        ("3qk3/8/8/8/8/8/8/4K3 w - - 0 1", BLACK),
        ("8/8/8/8/8/8/1k6/Q3K3 b - - 0 1", DRAW),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", WHITE),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", DRAW),
        ("7k/8/8/8/8/8/7P/7K w - - 0 1", DRAW),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", DRAW),
        // The fifty-move rule comes before the mate.
        ("4k3/8/8/8/8/8/8/3RK3 w - - 95 100", DRAW),
        // Mate at once is in time.
        ("4k3/8/4K3/8/8/8/8/3R4 b - - 40 100", WHITE),
        // Castling rights, and more pieces than in any table.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
        ("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", None),
    ];
    for (fen, expected) in cases {
        assert_eq!(outcome(&tables, fen).unwrap(), expected, "{fen}");
    }
}

#[test]
fn missing_and_broken_tables_are_errors() {
    let folder = TempDir::new().unwrap();
    assert!(Tables::open(folder.path()).err().unwrap().to_string().ends_with(": no Syzygy tables in it"));
    assert!(Tables::open(&folder.path().join("none")).err().unwrap().to_string().contains("none: "));

    for name in ["KRvK.rtbw", "KRvK.rtbz"] {
        fs::copy(directory().join(name), folder.path().join(name)).unwrap();
    }
    let fen = "4k3/8/8/8/8/8/8/3RK3 w - - 3 1";
    assert_eq!(outcome(&Tables::open(folder.path()).unwrap(), fen).unwrap(), WHITE);
    assert_eq!(outcome(&Tables::open(folder.path()).unwrap(), "4k3/8/8/8/8/8/8/3QK3 w - - 0 1").unwrap(), None);

    let broken = vec![0; fs::metadata(folder.path().join("KRvK.rtbw")).unwrap().len() as usize];
    fs::write(folder.path().join("KRvK.rtbw"), broken).unwrap();
    let error = outcome(&Tables::open(folder.path()).unwrap(), fen).unwrap_err().to_string();
    assert!(error.contains("KRvK") && error.ends_with(&format!("in '{fen}'")), "{error}");
}
