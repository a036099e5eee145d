//! What each target does with bytes from outside. It must neither panic nor take much time or memory, whatever they are.

use halfpoint::eval::Weights;
use halfpoint::eval::network::Network;
use halfpoint::games::{CastlingRights, GameTexts, LineTexts, MAX_PLIES, ReadOptions};
use halfpoint::params;
use halfpoint::position::{GameHistory, Position};
use halfpoint::printing::Profiles;
use halfpoint::printing::{Nominal, PeopleLaw};
use halfpoint::search::{Limits, Pool, STACK_BYTES, SearchParams, Settings, Signals};
use halfpoint::tablebase::Tables;
use shakmaty::{Chess, Position as _, uci::UciMove};
use std::fs;
use std::sync::Arc;
use std::thread;

/// A target: its name, which is that of the folder with its corpus, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 7] = [
    ("position", position),
    ("params", parameters),
    ("network", network),
    ("pgn", pgn),
    ("lines", lines),
    ("syzygy", syzygy),
    ("files", files),
];

/// Runs a target. Searches need a stack of their own.
pub fn run(name: &str, data: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(other, _)| *other == name).unwrap();
    thread::scope(|scope| {
        let run = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || target(data)).unwrap();
        if let Err(panic) = run.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

/// Nodes of the searches.
const NODES: u64 = 2000;
/// Moves of a game that are played; each costs a comparison of all legal moves.
const MOVES: usize = 300;

fn legal_moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<_> = position.legal_moves().iter().map(|&m| position.format_move(m, true)).collect();
    moves.sort_unstable();
    moves
}

fn legal_moves_of_chess(chess: &Chess) -> Vec<String> {
    let mode = shakmaty::CastlingMode::Chess960;
    let mut moves: Vec<_> = chess.legal_moves().iter().map(|m| m.to_uci(mode).to_string()).collect();
    moves.sort_unstable();
    moves
}

/// A FEN on the first line and moves behind it, against shakmaty.
fn position(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (fen, moves) = text.split_once('\n').unwrap_or((&text, ""));
    for chess960 in [false, true] {
        if let Ok((mended, _)) = Position::from_fen_mended(fen, chess960) {
            assert!(Position::from_fen(&mended.fen(), true).is_ok_and(|read| read.fen() == mended.fen()), "{fen:?}");
        }
        let Ok(mut position) = Position::from_fen(fen, chess960) else { continue };
        let mut chess = position.to_chess();
        for word in moves.split_whitespace().take(MOVES) {
            assert_eq!(legal_moves(&position), legal_moves_of_chess(&chess), "{}", position.fen());
            assert_eq!(Position::from_chess(&chess).key(), position.key(), "{}", position.fen());
            let Ok(m) = position.parse_move(word) else { break };
            let spelled: UciMove = position.format_move(m, true).parse().unwrap();
            chess.play_unchecked(spelled.to_move(&chess).unwrap());
            position = position.play(m);
        }
        search(&GameHistory::new(position), Weights::shipped());
    }
}

fn search(game: &GameHistory, weights: Arc<Weights>) {
    let mut pool = Pool::new(weights, 1, 1).unwrap();
    let limits = Limits { depth: Some(4), nodes: Some(NODES), ..Limits::default() };
    let answer = pool.search(game, &limits, &Settings::default(), &Signals::new(), &mut |_| ());
    assert_eq!(answer.score.wdl().per_mille().into_iter().sum::<u32>(), 1000);
}

/// Positions that few parameters suit: open, with more pieces than a game has, and near the fiftieth move.
fn games() -> [GameHistory; 3] {
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "QQQQQQQQ/QQQQQQQQ/8/8/8/8/k7/7K b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 90 1",
    ]
    .map(|fen| GameHistory::new(Position::from_fen(fen, false).unwrap()))
}

/// A network, also with the checksum that its contents need, and a search with it.
fn network(data: &[u8]) {
    let mut mended = data.to_vec();
    if let Some((content, checksum)) = mended.split_last_chunk_mut::<8>() {
        let hash = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        *checksum = content.iter().fold(0xcbf2_9ce4_8422_2325, hash).to_le_bytes();
    }
    for bytes in [data, &mended] {
        if let Ok(network) = Network::from_bytes(bytes) {
            assert!(network.parts().to_bytes() == bytes);
            let weights = Arc::new(Weights::shipped().with_network(Some(Arc::new(network))));
            games().iter().for_each(|game| search(game, Arc::clone(&weights)));
        }
    }
}

/// The readers of parameter files, and a search with the weights that they took.
fn parameters(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = params::read::<Profiles>("x", &text);
    let _ = params::read::<Nominal>("x", &text);
    let _ = params::read::<PeopleLaw>("x", &text);
    let _ = params::read::<SearchParams>("x", &text);
    if let Ok(weights) = Weights::from_toml(&text) {
        let weights = Arc::new(weights);
        games().iter().for_each(|game| search(game, Arc::clone(&weights)));
    }
}

fn pgn(data: &[u8]) {
    for keep_notes in [false, true] {
        let options = ReadOptions { keep_notes, ..ReadOptions::default() };
        for text in GameTexts::new(data) {
            match text.unwrap().parse(&options) {
                Ok(game) => {
                    assert!(game.moves.len() <= MAX_PLIES);
                    let _ = (game.last_position(), game.counted_outcome(), game.tags.ratings());
                }
                Err(broken) => assert!(broken.to_string().len() < 1000),
            }
        }
    }
}

fn lines(data: &[u8]) {
    for castling in [CastlingRights::Chess, CastlingRights::Chess960, CastlingRights::Either] {
        for line in LineTexts::new(data) {
            let _ = line.unwrap().parse(castling);
        }
    }
}

/// The bytes as each kind of table of queen against king, beside a sound one of the other kind.
fn syzygy(data: &[u8]) {
    const SOUND: [(&str, &[u8]); 2] = [
        ("KQvK.rtbw", include_bytes!("../data/syzygy/KQvK.rtbw")),
        ("KQvK.rtbz", include_bytes!("../data/syzygy/KQvK.rtbz")),
    ];
    // Files of another length are refused before they are read.
    let data = &data[..data.len().saturating_sub((data.len() + 48) % 64)];
    let folder = tempfile::tempdir().unwrap();
    for replaced in 0..2 {
        for (kind, (name, sound)) in SOUND.into_iter().enumerate() {
            fs::write(folder.path().join(name), if kind == replaced { data } else { sound }).unwrap();
        }
        let tables = Tables::open(folder.path().as_os_str());
        for fen in ["4k3/8/8/8/8/8/8/QK6 w - - 0 1", "8/8/4k3/8/8/8/3Q4/4K3 b - - 0 1"] {
            let position = Position::from_fen(fen, false).unwrap();
            let _ = (tables.wdl(&position), tables.outcome(&position));
        }
    }
}

/// The bytes as a file to analyse, compressed or not.
fn files(data: &[u8]) {
    use halfpoint::analysis::{Selection, read};
    let Ok(text) = halfpoint::games::decompressed(std::io::Cursor::new(data.to_vec())) else { return };
    let _ = read("games", text, &Selection::default(), false);
}
