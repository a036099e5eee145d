use super::*;
use crate::position::{GameHistory, Move, Position};
use crate::wdl::score::{Kind, Score};
use shakmaty::{CastlingMode, Chess, Color, KnownOutcome, Square};
use std::cell::Cell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const WHITE: Option<KnownOutcome> = Some(KnownOutcome::Decisive { winner: Color::White });
const BLACK: Option<KnownOutcome> = Some(KnownOutcome::Decisive { winner: Color::Black });
const DRAW: Option<KnownOutcome> = Some(KnownOutcome::Draw);
const ROOK: &str = "4k3/8/8/8/8/8/8/3RK3 w - - 3 1";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy")
}

fn tables() -> Tables {
    Tables::open(folder().as_os_str())
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen, true).unwrap()
}

fn game(fen: &str) -> GameHistory {
    GameHistory::new(position(fen))
}

/// A folder with copies of tables.
fn copies(names: &[&str]) -> TempDir {
    let copy = TempDir::new().unwrap();
    for name in names {
        fs::copy(folder().join(name), copy.path().join(name)).unwrap();
    }
    copy
}

fn faults(tables: &Tables) -> Vec<String> {
    tables.take_faults().iter().map(ToString::to_string).collect()
}

#[test]
fn results_are_those_of_best_play() {
    let tables = tables();
    assert_eq!((tables.counts(), tables.max_pieces()), ([8, 8], 4));
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
        // Castling rights, and no table.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
        ("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", None),
        ("3qkq2/8/8/8/8/8/8/3QK3 w - - 0 1", None),
    ];
    for (fen, expected) in cases {
        assert_eq!(tables.outcome(&position(fen)), expected, "{fen}");
    }
    assert!(faults(&tables).is_empty());
}

#[test]
fn the_view_has_the_moves_of_shakmaty() {
    use shakmaty::Position as _;
    for fen in ["8/8/8/1k1pP3/8/8/3K4/8 w - d6 0 2", "k7/2P5/8/8/8/8/1n6/K7 w - - 0 1", ROOK] {
        let (view, chess) = (view::View::new(&position(fen)), position(fen).to_chess());
        let sorted = |moves: shakmaty::MoveList| {
            let mut texts: Vec<_> = moves.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect();
            texts.sort();
            texts
        };
        assert_eq!(sorted(view.legal_moves()), sorted(chess.legal_moves()), "{fen}");
        assert_eq!(sorted(view.capture_moves()), sorted(chess.capture_moves()), "{fen}");
        for m in chess.legal_moves() {
            let (mut view, mut chess) = (view.clone(), chess.clone());
            view.play_unchecked(m);
            chess.play_unchecked(m);
            let of = |chess: &Chess| (chess.board().clone(), chess.turn(), chess.legal_ep_square(), chess.halfmoves());
            assert_eq!((view.board().clone(), view.turn(), view.maybe_ep_square(), view.halfmoves()), of(&chess));
        }
    }
}

/// Plays a won position out: moves of the highest rank, the last of them, against the longest defence.
fn plies_to_mate(tables: &Tables, fen: &str) -> Option<u32> {
    let mut game = game(fen);
    for plies in 0.. {
        match game.outcome() {
            Some(KnownOutcome::Decisive { .. }) => return Some(plies),
            Some(KnownOutcome::Draw) => return None,
            None => {}
        }
        let moves = game.position().legal_moves();
        let ranking = tables.rank(&game, &moves, &ProbeSettings::default(), &|| true).unwrap();
        let m = if plies % 2 == 0 {
            ranking.moves.into_iter().max_by_key(|ranked| ranked.rank).unwrap().m
        } else {
            let defence =
                |m: &&Move| tables.classify(&game, **m).map(|class| (class.wdl, class.distance.map(i32::abs)));
            *moves.iter().max_by_key(defence).unwrap()
        };
        game.play(m);
    }
    None
}

#[test]
fn the_ranking_wins_and_holds() {
    let tables = tables();
    for fen in ["8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "8/8/8/4k3/8/8/8/KR6 w - - 30 40", "k7/b7/2K5/8/8/8/8/1R6 w - - 0 1"] {
        let won = tables.outcome(&position(fen)) == WHITE;
        assert_eq!(plies_to_mate(&tables, fen).is_some(), won, "{fen}");
    }
    // Only one move holds the draw.
    let game = game("4k3/8/3KP3/8/8/8/8/8 b - - 0 1");
    let moves = game.position().legal_moves();
    let ranking = tables.rank(&game, &moves, &ProbeSettings::default(), &|| true).unwrap();
    assert!(ranking.by_distance);
    let scores: HashMap<_, _> =
        ranking.moves.iter().map(|ranked| (game.position().format_move(ranked.m, false), ranked)).collect();
    assert!(scores["e8d8"].score == Some(Score::DRAW) && scores["e8d8"].rank == 0, "{scores:?}");
    assert!(matches!(scores["e8f8"].score.unwrap().kind(), Kind::Tablebase(plies) if plies < 0), "{scores:?}");
    assert!(scores["e8f8"].rank < -20_000);
}

#[test]
fn moves_that_win_are_equal_until_the_clock_runs() {
    let tables = tables();
    let ranks = |fen: &str| {
        let game = game(fen);
        let ranking = tables.rank(&game, &game.position().legal_moves(), &ProbeSettings::default(), &|| true).unwrap();
        let mut ranks: Vec<_> = ranking.moves.iter().map(|ranked| ranked.rank).filter(|&rank| rank > 20_000).collect();
        ranks.sort_unstable();
        ranks.dedup();
        ranks.len()
    };
    assert_eq!(ranks("8/8/8/4k3/8/8/8/KQ6 w - - 0 1"), 1);
    assert!(ranks("8/8/8/4k3/8/8/8/KQ6 w - - 30 40") > 1);
}

#[test]
fn wins_beyond_the_fifty_move_rule_are_draws_unless_it_is_off() {
    let tables = tables();
    for clock in [90, 99] {
        let game = game(&format!("8/8/8/4k3/8/8/8/KR6 w - - {clock} 99"));
        let moves = game.position().legal_moves();
        let best = |fifty_move_rule: bool| {
            let settings = ProbeSettings { fifty_move_rule, ..ProbeSettings::default() };
            let ranking = tables.rank(&game, &moves, &settings, &|| true).unwrap();
            ranking.moves.into_iter().max_by_key(|ranked| ranked.rank).unwrap()
        };
        assert_eq!(best(true).score, Some(Score::DRAW));
        assert!(clock == 99 || best(true).rank > 0, "the other side may err");
        assert!(best(false).score.unwrap().is_win());
    }
}

#[test]
fn limits_and_castling_rights_prevent_a_ranking() {
    let tables = tables();
    let rank = |fen: &str, pieces: usize| {
        let game = game(fen);
        tables.rank(
            &game,
            &game.position().legal_moves(),
            &ProbeSettings { pieces, ..ProbeSettings::default() },
            &|| true,
        )
    };
    assert!(rank(ROOK, 3).is_some() && rank(ROOK, 2).is_none() && rank(ROOK, 0).is_none());
    assert!(rank("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 7).is_none());
}

#[test]
fn missing_folders_and_tables_are_faults() {
    let empty = TempDir::new().unwrap();
    let tables = Tables::open(empty.path().as_os_str());
    assert_eq!(faults(&tables), [format!("{}: no Syzygy tables in it", empty.path().display())]);
    assert_eq!(tables.max_pieces(), 0);
    let none = empty.path().join("none");
    let both = std::env::join_paths([none.as_path(), folder().as_path()]).unwrap();
    let tables = Tables::open(&both);
    assert_eq!(tables.counts(), [8, 8], "the other folder is used");
    assert!(faults(&tables)[0].starts_with(&format!("{}: ", none.display())));

    let rook = copies(&["KRvK.rtbw", "KRvK.rtbz"]);
    let tables = Tables::open(rook.path().as_os_str());
    assert_eq!(tables.outcome(&position(ROOK)), WHITE);
    assert_eq!(tables.outcome(&position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")), None);
    assert!(faults(&tables).is_empty());
}

#[test]
fn missing_distances_are_computed() {
    let folder = copies(&["KRvK.rtbw", "KQvK.rtbw"]);
    let tables = Tables::open(folder.path().as_os_str());
    assert_eq!(faults(&tables), ["KQvK.rtbw: without a .rtbz beside it, like 1 more: distances are computed"]);
    let game = game("8/8/8/8/8/1k6/8/K2R4 w - - 0 1");
    let moves = game.position().legal_moves();
    let rank = |may_go_on: &dyn Fn() -> bool| tables.rank(&game, &moves, &ProbeSettings::default(), may_go_on).unwrap();
    assert!(!rank(&|| false).by_distance);
    // A little at a time.
    let mut calls = 0;
    loop {
        let left = Cell::new(40);
        let may_go_on = || left.replace(left.get() - 1) > 0;
        calls += 1;
        if rank(&may_go_on).by_distance {
            break;
        }
    }
    assert!(calls > 10, "{calls}");
    let ranks = |ranking: Ranking| ranking.moves.iter().map(|ranked| ranked.rank).collect::<Vec<_>>();
    let full = self::tables().rank(&game, &moves, &ProbeSettings::default(), &|| false).unwrap();
    assert_eq!(ranks(rank(&|| true)), ranks(full));
    assert_eq!(tables.wdl(&position(ROOK)), Some(TableResult::Win));
    assert_eq!(tables.outcome(&position(ROOK)), None);
}

#[test]
fn computed_distances_are_those_of_the_tables() {
    let names = ["KRvK.rtbw", "KQvK.rtbw", "KPvK.rtbw", "KBvK.rtbw", "KNvK.rtbw", "KRvKB.rtbw"];
    let folder = copies(&names);
    let (full, tables) = (tables(), Tables::open(folder.path().as_os_str()));
    for (pieces, pawn) in
        [("KRk", None), ("kqK", None), ("KPk", Some(Square::C2)), ("kpK", Some(Square::H3)), ("KRkb", None)]
    {
        let mut compared = 0;
        // An odd step leads to no square twice.
        for number in 0..4000 {
            let mut board = shakmaty::Board::empty();
            for (piece, place) in pieces.chars().zip(0..) {
                let piece = shakmaty::Piece::from_char(piece).unwrap();
                let square = Square::new((7 * number + (2 * (number / 64) + 5) * place) % 64);
                board.set_piece_at(pawn.filter(|_| piece.role == shakmaty::Role::Pawn).unwrap_or(square), piece);
            }
            let turn = if number % 2 == 0 { 'w' } else { 'b' };
            let Ok(position) = Position::from_fen(&format!("{board} {turn} - - 0 1"), false) else { continue };
            if position.has_no_moves() || position.board().occupied().count() < pieces.len() {
                continue;
            }
            let Some(found) = full.probe_dtz(&position).map(|dtz| dtz.ignore_rounding().0) else { continue };
            tables.prepare_distances(&position, &|| true);
            if found != 0 {
                let computed = tables.distance(&position).unwrap().ignore_rounding().0;
                // Tables round to two plies.
                assert!(
                    computed.signum() == found.signum() && computed.abs_diff(found) <= 1,
                    "{} {computed} {found}",
                    position.fen()
                );
                compared += 1;
            }
        }
        assert!(compared > 200, "{pieces}: {compared}");
    }
}

#[test]
fn broken_files_are_faults_and_the_rest_is_used() {
    let folder = copies(&["KRvK.rtbw", "KRvK.rtbz", "KQvK.rtbw", "KQvK.rtbz", "KPvK.rtbw", "KPvK.rtbz"]);
    let damage = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let path = folder.path().join(name);
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(path, bytes).unwrap();
    };
    damage("KRvK.rtbw", &|bytes| bytes.truncate(bytes.len() / 2));
    damage("KPvK.rtbw", &|bytes| bytes[0] ^= 1);
    damage("KQvK.rtbz", &|bytes| bytes.truncate(16));
    let tables = Tables::open(folder.path().as_os_str());
    let found = faults(&tables);
    assert!(found.iter().any(|fault| fault.contains("KPvK.rtbw: not a Syzygy table")), "{found:?}");
    assert!(found.iter().any(|fault| fault.contains("KRvK.rtbw: the size")), "{found:?}");
    assert!(
        found.iter().any(|fault| fault.starts_with("KPvK.rtbz: without a .rtbw beside it, like 1 more: not used")),
        "{found:?}"
    );
    let queen = position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    assert_eq!(tables.wdl(&queen), Some(TableResult::Win));
    assert_eq!((tables.outcome(&queen), tables.outcome(&queen)), (None, None));
    assert_eq!(
        faults(&tables),
        ["KQvK.rtbz: the table, or the .rtbw beside it, is corrupt or cut off"],
        "reported once"
    );
}

/// The larger table is asked for what it knows by itself.
#[test]
fn a_missing_or_broken_table_is_named_and_larger_ones_stay() {
    let quiet = position("8/8/8/3bk3/8/8/8/KR6 w - - 0 1");
    let capture = position("8/8/4k3/8/3b4/8/8/K2R4 w - - 0 1");
    let names = ["KRvKB.rtbw", "KRvKB.rtbz", "KBvK.rtbw"];
    let (missing, broken) = (copies(&names), copies(&names));
    let bytes = fs::read(folder().join("KRvK.rtbw")).unwrap();
    fs::write(broken.path().join("KRvK.rtbw"), &bytes[..16]).unwrap();
    for (folder, reason) in
        [(broken, "the table is corrupt or cut off"), (missing, "missing, and larger tables need it")]
    {
        let tables = Tables::open(folder.path().as_os_str());
        let _ = tables.take_faults();
        assert_eq!(tables.wdl(&capture), None);
        assert_eq!(faults(&tables), [format!("KRvK.rtbw: {reason}")]);
        assert_eq!((tables.wdl(&quiet), tables.outcome(&quiet)), (Some(TableResult::Draw), DRAW));
        assert!(faults(&tables).is_empty());
    }
}

#[test]
fn a_mate_counts_before_the_fifty_move_rule() {
    let (fen, tables) = ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80", tables());
    assert_eq!(tables.outcome(&position(fen)), WHITE);
    assert!(listing(&tables, &game(fen), false).unwrap().contains("\nloss, DTZ "));
}

#[cfg(unix)]
#[test]
fn pipes_are_not_opened() {
    let folder = copies(&["KQvK.rtbw", "KQvK.rtbz"]);
    let pipe = folder.path().join("KRvK.rtbw");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let tables = Tables::open(folder.path().as_os_str());
    assert_eq!(faults(&tables), [format!("{}: not a regular file", pipe.display())]);
    assert_eq!(tables.counts(), [1, 1]);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_a_fault() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = copies(&["KQvK.rtbw", "KQvK.rtbz", "KRvK.rtbw", "KRvK.rtbz"]);
    let allow = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let rook = folder.path().join("KRvK.rtbw");
    allow(&rook, 0);
    // A superuser reads them all the same.
    let (place, tables) = (rook.display().to_string(), Tables::open(folder.path().as_os_str()));
    assert_eq!(faults(&tables).iter().any(|fault| fault.starts_with(&place)), fs::File::open(&rook).is_err());
    assert_eq!(tables.wdl(&position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")), Some(TableResult::Win));
    allow(folder.path(), 0);
    let (denied, tables) = (fs::read_dir(folder.path()).is_err(), Tables::open(folder.path().as_os_str()));
    allow(folder.path(), 0o700);
    let place = format!("{}: ", folder.path().display());
    assert_eq!(faults(&tables).iter().any(|fault| fault.starts_with(&place)), denied);
}

/// A changed byte among the first ones is reported, or changes no answer.
#[test]
fn a_changed_byte_of_a_table_is_reported_or_harmless() {
    let names = ["KRvKB.rtbw", "KRvKB.rtbz", "KRvK.rtbw", "KRvK.rtbz", "KPvK.rtbw", "KPvK.rtbz"];
    let positions = [
        "8/8/8/3bk3/8/8/8/KR6 w - - 0 1",
        "8/8/8/3bk3/8/8/8/KR6 b - - 0 1",
        "k7/b7/2K5/8/8/8/8/1R6 w - - 0 1",
        ROOK,
        "8/8/8/2k5/8/8/1R6/3K4 b - - 0 1",
        "8/8/8/8/8/1k6/R7/3K4 b - - 0 1",
        "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1",
        "8/8/4k3/8/4K3/4P3/8/8 b - - 0 1",
        "4k3/8/8/8/8/8/P7/4K3 b - - 0 1",
        "8/1k6/8/8/3K4/8/6P1/8 w - - 0 1",
    ];
    let answers = |tables: &Tables| {
        let distance = |position: &Position| {
            tables.probe_dtz(position).map(|dtz| (dtz.ignore_rounding(), dtz.precise().is_some()))
        };
        positions.map(|fen| (tables.wdl(&position(fen)), distance(&position(fen))))
    };
    let others = ["KBvK.rtbw", "KBvK.rtbz", "KQvK.rtbw", "KQvK.rtbz"];
    let copy = copies(&[&names[..], &others[..]].concat());
    let right = answers(&tables());
    for name in names {
        let path = copy.path().join(name);
        let bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len().min(50) {
            for flip in [0x01, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                fs::write(&path, changed).unwrap();
                let tables = Tables::open(copy.path().as_os_str());
                let found = answers(&tables);
                assert!(found == right || !faults(&tables).is_empty(), "{name}, byte {at}: {found:?}");
            }
        }
        fs::write(path, bytes).unwrap();
    }
}

/// The first look-up waits for no more than it needs.
#[cfg(unix)]
#[test]
fn a_check_opens_no_tables_of_promotions() {
    let folder = copies(&["KPvK.rtbw", "KPvK.rtbz", "KQvK.rtbw", "KQvK.rtbz"]);
    let tables = Tables::open(folder.path().as_os_str());
    for name in ["KQvK.rtbw", "KQvK.rtbz"] {
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    assert_eq!(tables.wdl(&position("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")), Some(TableResult::Win));
    assert!(faults(&tables).is_empty());
    assert_eq!(tables.wdl(&position("4k3/8/8/8/8/8/8/3QK3 w - - 0 1")), None);
    assert!(faults(&tables)[0].starts_with("KQvK.rtbw: "));
}

#[test]
fn sound_tables_agree_with_themselves() {
    let tables = tables();
    for fen in ["8/8/8/3bk3/8/8/8/KR6 w - - 0 1", "8/8/8/3rk3/8/8/8/KR6 b - - 0 1", "8/8/8/3nnk2/8/8/8/K7 b - - 0 1"] {
        assert!(tables.wdl(&position(fen)).is_some() && tables.probe_dtz(&position(fen)).is_some(), "{fen}");
    }
    assert!(faults(&tables).is_empty());
}

#[test]
fn a_listing_names_the_class_of_each_move() {
    let text = listing(&tables(), &game("4k3/8/3KP3/8/8/8/8/8 b - - 0 1"), false).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[..2], ["4k3/8/3KP3/8/8/8/8/8 b - - 0 1", "draw, DTZ 0"]);
    assert!(lines[2].starts_with("  e8d8") && lines[2].contains(" draw "), "{text}");
    assert!(lines.last().unwrap().contains(" loss "), "{text}");
    let text = listing(&tables(), &game("8/8/8/4k3/8/8/8/KR6 w - - 90 99"), false).unwrap();
    assert!(text.contains("cursed win, DTZ "), "{text}");
    // The position is in no table, the one after the capture is.
    let text = listing(&tables(), &game("8/8/8/2b1k3/8/2n5/8/K1R5 w - - 0 1"), false).unwrap();
    assert!(text.contains("not in the tables\n  c1c3 ") && text.ends_with(" unknown\n"), "{text}");
    assert_eq!(listing(&tables(), &GameHistory::default(), false), None);
    // A draw without a distance is no less one.
    let knight = copies(&["KNvK.rtbw"]);
    let text =
        listing(&Tables::open(knight.path().as_os_str()), &game("5K2/8/8/8/N7/8/8/3k4 b - - 80 1"), false).unwrap();
    assert_eq!(text.lines().nth(1), Some("draw, DTZ 0"));
}
