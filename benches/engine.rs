//! What the engine spends its time on, each part alone: `cargo bench`, or `cargo bench -- NAME` for one group.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use halfpoint::eval::{Contempt, Evaluation, Evaluator, Weights, evaluate};
use halfpoint::position::{GameHistory, Move, Position};
use halfpoint::search::{Bound, Limits, Pool, SearchParams, Settings, Signals, TranspositionTable, TtEntry};
use halfpoint::wdl::fixed;
use halfpoint::wdl::score::Score;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Openings, middlegames and endgames: 20 positions, with castling, promotions, pins and bare kings.
const FENS: [&str; 20] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "5k2/5p1p/p3B1p1/Pp2b3/1P6/4K1P1/7P/8 w - - 0 1",
    "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
];

/// Size of the table, in MiB: more than the caches of most processors hold.
const TABLE_MIB: usize = 64;
/// Lookups in one iteration of a table bench.
const LOOKUPS: u64 = 1000;
/// An odd number that spreads counters over all keys.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

fn position(fen: &str) -> Position {
    Position::from_fen(fen, false).expect("the positions above can be played")
}

fn positions() -> Vec<Position> {
    FENS.iter().map(|fen| position(fen)).collect()
}

fn moves(c: &mut Criterion) {
    let positions = positions();
    let played: Vec<(&Position, Vec<Move>)> =
        positions.iter().map(|position| (position, position.legal_moves().into_iter().collect())).collect();
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(played.iter().map(|(_, moves)| moves.len() as u64).sum()));
    group.bench_function("generate, 20 positions", |b| {
        b.iter(|| positions.iter().map(|position| black_box(position).legal_moves().len()).sum::<usize>());
    });
    group.bench_function("make, 20 positions", |b| {
        b.iter(|| {
            for (position, moves) in &played {
                for &m in moves {
                    black_box(black_box(*position).play(m));
                }
            }
        });
    });
    for (name, fen) in [("start", FENS[0]), ("middlegame", FENS[1]), ("promotions", FENS[2]), ("endgame", FENS[15])] {
        let position = position(fen);
        group.throughput(Throughput::Elements(position.perft(3)));
        group.bench_function(format!("perft 3, {name}"), |b| b.iter(|| black_box(&position).perft(black_box(3))));
    }
    group.finish();
}

fn evaluation(c: &mut Criterion) {
    let positions = positions();
    let weights = Weights::shipped();
    let mut group = c.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("from scratch, 20 positions", |b| {
        b.iter(|| positions.iter().map(|position| evaluate(black_box(position), &weights).wilo).sum::<i32>());
    });
    // Pawn structures and material are known after the first pass, as they mostly are in a search.
    let mut evaluator = Evaluator::default();
    group.bench_function("with memory, 20 positions", |b| {
        b.iter(|| {
            positions
                .iter()
                .map(|position| evaluator.evaluate(black_box(position), &weights, Contempt::NONE, 0).wilo)
                .sum::<i32>()
        });
    });
    group.finish();
}

fn static_exchange(c: &mut Criterion) {
    let positions = positions();
    let captures: Vec<(&Position, Move)> = positions
        .iter()
        .flat_map(|position| position.legal_moves().into_iter().map(move |m| (position, m)))
        .filter(|(position, m)| position.captured(*m).is_some())
        .collect();
    let mut group = c.benchmark_group("static exchange");
    group.throughput(Throughput::Elements(captures.len() as u64));
    group.bench_function("all captures, 20 positions", |b| {
        b.iter(|| captures.iter().filter(|(position, m)| black_box(*position).see(*m, black_box(0))).count());
    });
    group.finish();
}

fn draw_model(c: &mut Criterion) {
    // Wilo in centipawns and draw score in hundredths of a logit, over what occurs in games.
    let scores: Vec<(i32, i32)> = (0..1000).map(|i| (i * 37 % 2001 - 1000, i * 53 % 801 - 400)).collect();
    let pairs: Vec<(i32, i32)> = scores.iter().map(|&(wilo, draw)| fixed::combine(wilo, draw)).collect();
    let mut group = c.benchmark_group("draw model");
    group.throughput(Throughput::Elements(scores.len() as u64));
    group.bench_function("combine", |b| {
        b.iter(|| {
            for &(wilo, draw) in &scores {
                black_box(fixed::combine(black_box(wilo), black_box(draw)));
            }
        });
    });
    group.bench_function("shift", |b| {
        b.iter(|| {
            for &(p, _) in &pairs {
                black_box(fixed::shift(black_box(p), black_box(120)));
            }
        });
    });
    group.finish();
}

fn table(c: &mut Criterion) {
    let table = TranspositionTable::new(TABLE_MIB, &SearchParams::default()).expect("64 MiB can be had");
    let entry = TtEntry {
        m: Move::from_bits(0x0b1c),
        score: Score::heuristic(30, 20),
        bound: Some(Bound::Lower),
        depth: 5,
        eval: Some(Evaluation { wilo: 25, draw: 20 }),
        pv: false,
    };
    // As many keys as the table has room for, again and again in the same order.
    let entries = (TABLE_MIB << 20) as u64 / 16;
    let mut counter = 0;
    let mut keys = || {
        let start = counter;
        counter = (counter + LOOKUPS) % entries;
        (start..start + LOOKUPS).map(|number| number.wrapping_mul(SPREAD))
    };
    for _ in 0..entries / LOOKUPS {
        keys().for_each(|key| table.store(key, 3, entry));
    }
    let mut group = c.benchmark_group("table");
    group.throughput(Throughput::Elements(LOOKUPS));
    let probe = |key| table.probe(black_box(key), 3).is_some();
    group.bench_function("probe", |b| {
        b.iter_batched(&mut keys, |keys| keys.filter(|&key| probe(key)).count(), BatchSize::SmallInput);
    });
    group.bench_function("prefetch and probe", |b| {
        b.iter_batched(
            &mut keys,
            |keys| {
                keys.clone().for_each(|key| table.prefetch(key));
                keys.filter(|&key| probe(key)).count()
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("store", |b| {
        let store = |key| table.store(black_box(key), 3, entry);
        b.iter_batched(&mut keys, |keys| keys.for_each(store), BatchSize::SmallInput);
    });
    group.finish();
}

fn search(c: &mut Criterion) {
    let mut pool = Pool::new(Weights::shipped(), 16, 1).expect("16 MiB can be had");
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let settings = Settings::default();
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    for (name, fen) in [("middlegame", FENS[4]), ("endgame", FENS[15])] {
        let game = GameHistory::new(position(fen));
        // Every search begins with empty memory, so all search the same nodes; emptying it is not timed.
        let mut run = || {
            pool.clear();
            let start = Instant::now();
            let answer = pool.search(&game, &limits, &settings, &Signals::new(), &mut |_| ());
            (answer.nodes, start.elapsed())
        };
        group.throughput(Throughput::Elements(run().0));
        group.bench_function(format!("depth 8, {name}"), |b| {
            b.iter_custom(|iterations| (0..iterations).map(|_| black_box(run()).1).sum::<Duration>());
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = moves, evaluation, static_exchange, draw_model, table, search
}
criterion_main!(benches);
