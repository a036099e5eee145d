//! `halfpoint human`: what people of a rating are likely to play.

use clap::Args;
use halfpoint::human::{
    CANDIDATES, Choice, Decision, Effort, HumanModel, Player, PracticalMove, RATINGS, Recent, Valuer,
};
use halfpoint::output::line;
use halfpoint::position::{GameHistory, Position};
use halfpoint::printing::{Profiles, TimeClass, TimeControl};
use halfpoint::search::Signals;
use serde::Serialize;
use std::error::Error;
use std::ops::RangeInclusive;

/// Whose moves are asked for.
#[derive(Args)]
pub struct HumanArguments {
    /// Position; the start position if missing
    fen: Option<String>,
    /// Rating of the player, as on lichess
    #[arg(long, default_value_t = 1500, value_parser = clap::value_parser!(u32).range(ratings()))]
    elo: u32,
    /// Time control in seconds, such as 300+3
    #[arg(long, default_value = "300+3", value_parser = time_control)]
    time_control: TimeControl,
    /// Seconds left on the clock; enough if missing
    #[arg(long)]
    seconds: Option<u32>,
    /// Accept any castling rights; print castling as king takes rook
    #[arg(long)]
    chess960: bool,
    /// Of the best moves: expected points against an opponent of this rating, who does not always find the best reply
    #[arg(long)]
    swindle: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Ratings that the model is asked for, as clap wants them.
fn ratings() -> RangeInclusive<i64> {
    i64::from(*RATINGS.start())..=i64::from(*RATINGS.end())
}

fn time_control(text: &str) -> Result<TimeControl, String> {
    let control = TimeControl::of_tag(text);
    control
        .filter(|control| TimeClass::from_time_control(*control).is_some())
        .ok_or_else(|| "not a time control in seconds, such as 300+3".to_owned())
}

/// What is printed of a position.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    elo: u32,
    /// Of a position between equals of this rating, for the side to move, per mille.
    wdl: [u32; 3],
    /// Expected points that the move of such a player loses.
    expected_loss: f64,
    /// Chance of a loss of 0.1 or more.
    mistake: f64,
    /// Chance of a loss of 0.2 or more.
    blunder: f64,
    /// All legal moves, the likeliest first.
    moves: Vec<MoveReport>,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    m: String,
    probability: f64,
    wdl: [u32; 3],
    loss: f64,
}

/// A move against an opponent, in expected points.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SwindleReport {
    #[serde(rename = "move")]
    m: String,
    /// Against this opponent.
    points: f64,
    /// After the best reply.
    value: f64,
    /// What the opponent is likely to lose with the reply.
    reply_loss: f64,
}

/// Prints the moves of a position.
///
/// # Errors
///
/// If the position is malformed or its game is over, or if there is no memory.
pub fn run(arguments: &HumanArguments) -> Result<(), Box<dyn Error>> {
    let chess960 = arguments.chess960;
    let position =
        arguments.fen.as_deref().map_or_else(|| Ok(Position::default()), |fen| Position::from_fen(fen, chess960))?;
    if position.has_no_moves() {
        return Err("the game is over: there is no legal move".into());
    }
    let player = Player::of_class(f64::from(arguments.elo), TimeClass::Blitz).with(arguments.time_control);
    let player = Player { seconds_left: arguments.seconds.map(f64::from), ..player };
    let game = GameHistory::new(position);
    let mut valuer = Valuer::new()?;
    let values = valuer.values(&game, Effort::default(), &Signals::new());
    let profiles = Profiles::shipped();
    let decision = Decision::new(&game, Recent::default(), &values, &player, &profiles);
    let model = HumanModel::shipped();
    if arguments.swindle {
        let worth = |choice: &Choice| {
            let mut after = game.clone();
            after.play(choice.m);
            let replies = valuer.values(&after, Effort::default(), &Signals::new());
            PracticalMove::new((&game, Recent::default(), choice.m), &replies, &player, model, &profiles)
        };
        let mut moves: Vec<PracticalMove> = decision.choices.iter().take(CANDIDATES).map(worth).collect();
        moves.sort_by(|a, b| b.points().total_cmp(&a.points()));
        let moves: Vec<SwindleReport> = moves
            .iter()
            .map(|of| SwindleReport {
                m: position.format_move(of.m, chess960),
                points: of.points(),
                value: of.value,
                reply_loss: of.reply_loss,
            })
            .collect();
        line(if arguments.json { serde_json::to_string(&moves)? } else { swindles(&moves) });
        return Ok(());
    }
    let probabilities = model.probabilities(&decision, &player);
    let difficulty = model.difficulty(&decision, &probabilities);
    let choices = decision.choices.iter().zip(&probabilities);
    let mut moves: Vec<_> = choices
        .map(|(choice, &probability)| MoveReport {
            m: position.format_move(choice.m, chess960),
            probability,
            wdl: choice.wdl.per_mille(),
            loss: choice.loss,
        })
        .collect();
    moves.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let report = Report {
        elo: arguments.elo,
        wdl: decision.choices[0].wdl.per_mille(),
        expected_loss: difficulty.expected_loss,
        mistake: difficulty.mistake,
        blunder: difficulty.blunder,
        moves,
    };
    if arguments.json {
        line(serde_json::to_string(&report)?);
    } else {
        line(text(&report));
    }
    Ok(())
}

/// Moves against an opponent in columns.
fn swindles(moves: &[SwindleReport]) -> String {
    let mut lines = vec![format!("{:<6} {:>7} {:>7} {:>11}", "move", "points", "value", "reply loses")];
    lines.extend(moves.iter().map(|SwindleReport { m, points, value, reply_loss }| {
        format!("{m:<6} {points:>7.3} {value:>7.3} {reply_loss:>11.3}")
    }));
    lines.join("\n")
}

/// The report in columns.
fn text(report: &Report) -> String {
    let wdl = |[win, draw, loss]: [u32; 3]| format!("{win:>4} {draw:>4} {loss:>4}");
    let mut lines = vec![format!(
        "{} Elo: loses {:.3} points with a move; mistake {:.0} %, blunder {:.0} %",
        report.elo,
        report.expected_loss,
        100.0 * report.mistake,
        100.0 * report.blunder
    )];
    lines.push(format!("{:<6} {:>7}  {:>14}  {:>6}", "move", "chance", "W/D/L", "loss"));
    for MoveReport { m, probability, wdl: of, loss } in &report.moves {
        lines.push(format!("{m:<6} {:>5.1} %  {}  {loss:>6.3}", 100.0 * probability, wdl(*of)));
    }
    lines.join("\n")
}
