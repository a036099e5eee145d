//! What the tables say of a position and of each of its moves, as text.

use super::rank::MoveClass;
use super::tables::Tables;
use crate::position::GameHistory;
use shakmaty_syzygy::AmbiguousWdl;
use std::cmp::Reverse;
use std::fmt::Write as _;

/// The result of a position, its distance to the next capture or pawn move in plies, and each move with class and
/// distance, best first. Classes are those under the fifty-move rule, with the halfmove clock. `None` if the tables have
/// neither the position nor one after a move.
#[must_use]
pub fn listing(tables: &Tables, game: &GameHistory, chess960: bool) -> Option<String> {
    let position = game.position();
    tables.prepare_distances(position, &|| true);
    let class = tables.class_of(game);
    let wdl = tables.probe_wdl(position);
    let mut text = format!("{}\n", position.fen());
    match (class, wdl) {
        (Some((wdl, dtz)), _) => {
            let rounded = if dtz.precise().is_none() { " (or one ply more)" } else { "" };
            let _ = writeln!(text, "{}, DTZ {}{rounded}", name(wdl), dtz.ignore_rounding().0);
        }
        // No clock makes it anything else.
        (None, Some(wdl)) if AmbiguousWdl::from(wdl) == AmbiguousWdl::Draw => text += "draw, DTZ 0\n",
        (None, Some(wdl)) => {
            let _ = writeln!(text, "{} after a capture or a pawn move, DTZ unknown", name(wdl.into()));
        }
        (None, None) => text += "not in the tables\n",
    }
    let mut moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .map(|m| {
            (position.format_move(m, chess960), tables.classify(game, m).or_else(|| tables.classify_by_wdl(game, m)))
        })
        .collect();
    if class.is_none() && wdl.is_none() && moves.iter().all(|(_, class)| class.is_none()) {
        return None;
    }
    moves.sort_by_key(|(_, class)| {
        Reverse(class.map(|class| (class.wdl, class.is_mate, -class.distance.unwrap_or_default())))
    });
    for (m, class) in moves {
        let _ = match class {
            Some(MoveClass { wdl, is_mate: true, .. }) => writeln!(text, "  {m:<6} {:<12} mate", name(wdl)),
            Some(MoveClass { wdl, distance: Some(plies), .. }) => {
                writeln!(text, "  {m:<6} {:<12} DTZ {plies}", name(wdl))
            }
            Some(MoveClass { wdl, distance: None, .. }) => writeln!(text, "  {m:<6} {}", name(wdl)),
            None => writeln!(text, "  {m:<6} unknown"),
        };
    }
    Some(text)
}

fn name(wdl: AmbiguousWdl) -> &'static str {
    match wdl {
        AmbiguousWdl::Win => "win",
        AmbiguousWdl::MaybeWin => "win or draw by the fifty-move rule",
        AmbiguousWdl::CursedWin => "cursed win",
        AmbiguousWdl::Draw => "draw",
        AmbiguousWdl::BlessedLoss => "blessed loss",
        AmbiguousWdl::MaybeLoss => "loss or draw by the fifty-move rule",
        AmbiguousWdl::Loss => "loss",
    }
}
