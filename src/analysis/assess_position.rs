//! One searched position in numbers.

use super::measures::{Loss, sharpness};
use super::pairing::Equals;
use super::schema::{LineReport, PositionReport};
use super::searcher::{Found, FoundLine};
use super::sides::white_wdl;
use crate::position::{GameHistory, Move, Position};
use crate::printing::{Lines, Nominal, Printed, PrintedScore, Printer, WdlFor};
use crate::wdl::model::Wdl;
use crate::wdl::score::Score;
use shakmaty::san::SanPlus;
use shakmaty::{ByColor, Color};

/// Most moves of a line that are told.
const LINE_MOVES: usize = 16;

/// Centipawns that stand for a mate or a win by tables where a number is needed.
const DECIDED_CP: i32 = 20_000;

/// A position with what its search says, from the view of the side to move.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The side to move.
    pub turn: Color,
    /// The score of the best line.
    pub score: PrintedScore,
    /// Win, draw and loss for equals at the rating of each player.
    pub by_equals: ByColor<Wdl>,
    /// White's expected points for equals at the mean rating.
    pub expected: f64,
    /// Number of its move, from 1.
    pub move_number: u32,
    /// The best move.
    pub best: Option<Move>,
    /// The same for the report.
    pub report: PositionReport,
}

/// How positions are printed.
#[derive(Clone, Copy, Debug)]
pub struct Printing<'a> {
    /// Whose games W/D/L are for.
    pub wdl_for: &'a WdlFor,
    /// By whom moves are judged.
    pub equals: &'a Equals,
    /// Castling as king takes rook.
    pub chess960: bool,
}

/// A score with W/D/L for the players, for equals and for the engine.
struct Views {
    printed: Printed,
    equals: Wdl,
    nominal: Wdl,
}

impl Printing<'_> {
    /// What a search says of the last position of a game; `ends` is whether it counts that the game is over there.
    #[must_use]
    pub fn assess(&self, game: &GameHistory, found: &Found, ends: bool) -> Assessment {
        let position = game.position();
        let turn = position.turn();
        let is_draw = ends && game.outcome().is_some_and(|outcome| outcome.winner().is_none());
        let first = if is_draw { None } else { found.lines.first() };
        let over = if is_mate(position) { Score::mated_in(0) } else { Score::DRAW };
        let views = first.map_or_else(|| Self::proven(game, over), |line| self.line(game, line));
        let by_equals = self
            .equals
            .of_each
            .as_ref()
            .map(|wdl_for| first.map_or(views.equals, |line| Self::print(game, line, wdl_for).wdl));
        let lines = if is_draw { &[] } else { found.lines.as_slice() };
        let mut order: [Lines; 3] = Default::default();
        let (eval, mate) = white_score(views.printed.score, turn);
        let [wdl, equals, nominal] = [views.printed.wdl, views.equals, views.nominal].map(|wdl| white_wdl(wdl, turn));
        let report = PositionReport {
            eval,
            mate,
            depth: first.map_or(0, |line| line.depth),
            nodes: found.nodes,
            looks: found.looks,
            wdl: wdl.per_mille(),
            equals: other_than(wdl, equals),
            nominal: nominal.per_mille(),
            expected: rounded(wdl.expected()),
            sharpness: rounded(sharpness(nominal)),
            lines: lines
                .iter()
                .zip(1..)
                .map(|(line, number)| self.line_report(game, line, number, &mut order))
                .collect(),
        };
        Assessment {
            turn,
            score: views.printed.score,
            by_equals,
            expected: equals.expected(),
            move_number: position.fullmoves(),
            best: first.and_then(|line| line.pv.first().copied()),
            report,
        }
    }

    /// What the first move of each line loses against that of the first.
    #[must_use]
    pub fn losses(&self, game: &GameHistory, found: &Found) -> Vec<Loss> {
        let equals = self.equals.of_each.get(game.position().turn());
        let wdl: Vec<Wdl> = found.lines.iter().map(|line| Self::print(game, line, equals).wdl).collect();
        wdl.iter().map(|&of| rounded_loss(Loss::between(wdl[0], of))).collect()
    }

    fn line(&self, game: &GameHistory, line: &FoundLine) -> Views {
        let wdl = |wdl_for| Self::print(game, line, wdl_for).wdl;
        Views {
            printed: Self::print(game, line, self.wdl_for),
            equals: wdl(&self.equals.of_both),
            nominal: wdl(&WdlFor::Nominal),
        }
    }

    fn print(game: &GameHistory, line: &FoundLine, wdl_for: &WdlFor) -> Printed {
        let printer = Printer { game, nominal: Nominal::shipped(), wdl_for };
        if line.from_tables {
            printer.from_tables(line.score)
        } else {
            printer.print(line.score, line.score.estimate(), line.nodes, line.pv.first().copied())
        }
    }

    fn proven(game: &GameHistory, score: Score) -> Views {
        // A game that is over is over for everybody.
        let printed = Printer { game, nominal: Nominal::shipped(), wdl_for: &WdlFor::Nominal }.proven(score);
        Views { equals: printed.wdl, nominal: printed.wdl, printed }
    }

    fn line_report(&self, game: &GameHistory, line: &FoundLine, number: usize, order: &mut [Lines; 3]) -> LineReport {
        let Views { printed, equals, nominal } = self.line(game, line);
        let [players_order, equals_order, nominal_order] = order;
        let of = |wdl| Printed { score: printed.score, wdl };
        let equals = equals_order.next(number, line.score, of(equals)).wdl;
        let nominal = nominal_order.next(number, line.score, of(nominal)).wdl;
        let printed = players_order.next(number, line.score, printed);
        let turn = game.position().turn();
        let (eval, mate) = white_score(printed.score, turn);
        let moves = &line.pv[..line.pv.len().min(LINE_MOVES)];
        let [wdl, equals, nominal] = [printed.wdl, equals, nominal].map(|wdl| white_wdl(wdl, turn));
        LineReport {
            eval,
            mate,
            wdl: wdl.per_mille(),
            equals: other_than(wdl, equals).filter(|_| number > 1),
            nominal: other_than(wdl, nominal).filter(|_| number > 1),
            lost: None,
            uci: self.uci(game.position(), moves),
            san: san_line(game.position(), moves),
        }
    }

    /// Moves in UCI notation, between blanks.
    fn uci(&self, position: &Position, moves: &[Move]) -> String {
        let mut position = *position;
        let mut text = Vec::new();
        for &m in moves {
            text.push(position.format_move(m, self.chess960));
            position = position.play(m);
        }
        text.join(" ")
    }
}

impl Assessment {
    /// Centipawns in White's view, with mates as large numbers.
    #[must_use]
    pub fn white_cp(&self) -> i32 {
        let cp = match self.score {
            PrintedScore::Cp(cp) => cp,
            PrintedScore::Mate(moves) if moves > 0 => DECIDED_CP,
            PrintedScore::Mate(_) => -DECIDED_CP,
        };
        self.turn.fold_wb(cp, -cp)
    }

    /// Whether the side to move is mated.
    #[must_use]
    pub fn is_mated(&self) -> bool {
        self.score == PrintedScore::Mate(0)
    }
}

fn is_mate(position: &Position) -> bool {
    position.is_check() && position.has_no_moves()
}

/// Per mille of a view, if it is another than that of the players.
fn other_than(players: Wdl, view: Wdl) -> Option<[u32; 3]> {
    Some(view.per_mille()).filter(|&view| view != players.per_mille())
}

/// Centipawns or moves to mate in White's view.
fn white_score(score: PrintedScore, turn: Color) -> (Option<i32>, Option<i32>) {
    match score {
        PrintedScore::Cp(cp) => (Some(turn.fold_wb(cp, -cp)), None),
        PrintedScore::Mate(moves) => (None, Some(turn.fold_wb(moves, -moves))),
    }
}

/// A number for people, to four digits behind the point.
#[must_use]
pub fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

/// A loss for people: its parts to four digits, and the sum of these.
#[must_use]
pub fn rounded_loss(Loss { win_to_draw, draw_to_loss, win_to_loss, .. }: Loss) -> Loss {
    let [win_to_draw, draw_to_loss, win_to_loss] = [win_to_draw, draw_to_loss, win_to_loss].map(rounded);
    Loss { total: rounded(win_to_draw + draw_to_loss + win_to_loss), win_to_draw, draw_to_loss, win_to_loss }
}

/// Moves in standard algebraic notation, between blanks.
#[must_use]
pub fn san_line(position: &Position, moves: &[Move]) -> String {
    let mut chess = position.to_chess();
    let mut text = Vec::new();
    for &m in moves {
        let m = Position::from_chess(&chess).to_shakmaty(m);
        text.push(SanPlus::from_move_and_play_unchecked(&mut chess, m).to_string());
    }
    text.join(" ")
}
