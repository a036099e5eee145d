//! The evaluation of a position, before any search: as JSON, and as W/D/L of many positions.

use super::sides::{color_name, white_wdl};
use crate::eval::network::Unit;
use crate::eval::{Contempt, Contribution, Evaluation, Evaluator, Explanation, TermContribution, Weights, Worth};
use crate::position::{FIFTY_MOVES, GameHistory, Position};
use crate::printing::{Nominal, Printed, Printer, WdlFor};
use crate::wdl::score::{Score, printed_score_cp};
use serde_json::{Map, Value, json};
use shakmaty::{KnownOutcome, Square};
use std::fmt;
use std::sync::Arc;

/// What `go nodes 1` prints where the search goes no further than this evaluation: W/D/L for these games. Of a game that is over,
/// its result.
#[must_use]
pub fn printed_evaluation(position: &Position, evaluation: Evaluation, nominal: &Nominal, wdl_for: &WdlFor) -> Printed {
    let game = GameHistory::new(*position);
    let printer = Printer { game: &game, nominal, wdl_for };
    match game.outcome().map(KnownOutcome::winner) {
        Some(Some(_)) => printer.proven(Score::mated_in(0)),
        Some(None) => printer.proven(Score::DRAW),
        None => {
            let score = evaluation.score();
            printer.print(score, score.estimate(), 1, None)
        }
    }
}

/// W/D/L of positions by their evaluation, without a search.
///
/// ```
/// use halfpoint::analysis::StaticWdl;
/// use halfpoint::position::Position;
/// use halfpoint::printing::WdlFor;
///
/// let queen_up = Position::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", false).unwrap();
/// let [win, draw, loss] = StaticWdl::new(WdlFor::Nominal).of(&queen_up);
/// assert!(win > 900 && win + draw + loss == 1000);
/// ```
pub struct StaticWdl {
    evaluator: Evaluator,
    weights: Arc<Weights>,
    wdl_for: WdlFor,
}

impl fmt::Debug for StaticWdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticWdl").field("wdl_for", &self.wdl_for).finish_non_exhaustive()
    }
}

impl StaticWdl {
    /// For these games.
    #[must_use]
    pub fn new(wdl_for: WdlFor) -> StaticWdl {
        StaticWdl { evaluator: Evaluator::default(), weights: Weights::shipped(), wdl_for }
    }

    /// Win, draw and loss of White, per mille.
    #[must_use]
    pub fn of(&mut self, position: &Position) -> [u32; 3] {
        let evaluation = self.evaluator.evaluate(position, &self.weights, Contempt::NONE, 0);
        let printed = printed_evaluation(position, evaluation, Nominal::shipped(), &self.wdl_for);
        white_wdl(printed.wdl, position.turn()).per_mille()
    }
}

/// What the search does with the position in place of its evaluation, in words.
#[must_use]
pub fn evaluation_notes(explanation: &Explanation) -> Vec<&'static str> {
    let position = &explanation.position;
    let mut notes = Vec::new();
    if position.is_check() {
        notes.push("The side to move is in check; the search looks further before it evaluates.");
    }
    if position.has_no_moves() {
        notes.push("The game is over: the search scores this as mate or stalemate.");
    } else if position.halfmoves() >= FIFTY_MOVES {
        notes.push("Fifty moves without capture or pawn move: the search scores this as a draw.");
    }
    if position.is_insufficient_material() {
        notes.push("Neither side can mate: the search scores this as a draw.");
    }
    notes
}

/// The evaluation as JSON: numbers from White's point of view, pawns, logits and shares from 0 to 1; what a search
/// [prints](printed_evaluation) is for the side to move.
#[must_use]
pub fn evaluation_json(explanation: &Explanation, printed: &Printed) -> Value {
    let share = |share: Contribution| {
        json!({
            "wiloMg": rounded(share.wilo[0]), "wiloEg": rounded(share.wilo[1]),
            "drawMg": rounded(share.draw[0]), "drawEg": rounded(share.draw[1]),
        })
    };
    let term = |term: &TermContribution| {
        let [win, draw, loss] = explanation.effect(term).map(rounded);
        let total = term.total();
        json!({
            "name": term.name, "white": share(term.white), "black": share(term.black), "total": share(total),
            "wilo": rounded(explanation.taper(total.wilo)), "draw": rounded(explanation.taper(total.draw)),
            "moves": { "win": win, "draw": draw, "loss": loss },
        })
    };
    let piece = |(square, worth): &(Square, Worth)| {
        let piece = explanation.position.board().piece_at(*square).map_or(' ', |piece| piece.char());
        json!({
            "square": square.to_string(), "piece": piece.to_string(),
            "wilo": rounded(worth.wilo), "draw": rounded(worth.draw),
        })
    };
    let unit = |unit: &Unit| {
        let view = |side: usize| {
            let weights =
                unit.pieces[side].iter().map(|&(square, weight)| (square.to_string(), rounded(weight).into()));
            json!({ "activation": rounded(unit.activations[side]), "pieces": weights.collect::<Map<_, _>>() })
        };
        let (wilo, draw) = unit.total();
        json!({
            "index": unit.index, "white": view(0), "black": view(1), "wilo": rounded(wilo), "draw": rounded(draw),
        })
    };
    let ((wilo, draw), wdl) = (explanation.scores(), explanation.wdl());
    json!({
        "schema": 1, "fen": explanation.position.fen(),
        "turn": color_name(explanation.position.turn()),
        "phase": explanation.phase, "wilo": rounded(wilo), "draw": rounded(draw),
        "wdl": wdl.per_mille(), "expected": rounded(wdl.expected()), "eval": f64::from(printed_score_cp(wdl.expected())),
        "printed": { "score": printed.score.to_string(), "wdl": printed.wdl.per_mille() },
        "terms": explanation.terms.iter().map(term).collect::<Vec<_>>(),
        "pieces": explanation.pieces.iter().map(piece).collect::<Vec<_>>(),
        "units": explanation.units.iter().map(unit).collect::<Vec<_>>(),
        "notes": evaluation_notes(explanation),
    })
}

/// To six digits behind the point, without a negative zero.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_over_has_its_result() {
        let mut of = StaticWdl::new(WdlFor::Nominal);
        for (fen, expected) in [
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", [0, 0, 1000]),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", [0, 1000, 0]),
            ("7k/8/6K1/8/8/8/8/B7 b - - 0 1", [0, 1000, 0]),
            ("7k/8/6K1/8/8/8/8/R7 w - - 100 90", [0, 1000, 0]),
        ] {
            assert_eq!(of.of(&Position::from_fen(fen, false).unwrap()), expected, "{fen}");
        }
    }

    #[test]
    fn certain_results_have_numbers() {
        let position = Position::from_fen("6k1/8/8/8/8/8/QQQ5/K7 b - - 0 1", false).unwrap();
        let explanation = Explanation::of(&position, &Weights::shipped());
        let printed = printed_evaluation(&position, explanation.evaluation, Nominal::shipped(), &WdlFor::Nominal);
        let json = evaluation_json(&explanation, &printed);
        assert!(json["eval"] == 15_000.0 && !json.to_string().contains("null"), "{json}");
    }

    #[test]
    fn json_is_from_whites_view() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K2Q b - - 0 1", false).unwrap();
        let explanation = Explanation::of(&position, &Weights::shipped());
        let printed = printed_evaluation(&position, explanation.evaluation, Nominal::shipped(), &WdlFor::Nominal);
        let black = evaluation_json(&explanation, &printed);
        assert!(black["wilo"].as_f64().unwrap() > 3.0 && black["turn"] == "black");
        let queen = black["pieces"].as_array().unwrap().iter().find(|piece| piece["piece"] == "Q").unwrap();
        assert!(queen["square"] == "h1" && queen["wilo"].as_f64().unwrap() > 2.0, "{queen}");
        let [win, draw, loss] = printed.wdl.per_mille();
        assert_eq!(StaticWdl::new(WdlFor::Nominal).of(&position), [loss, draw, win]);
    }
}
