//! How hard a position of the live board is for who moves, and what people of the rating play there.

use crate::position::san;
use halfpoint::human::{Choice, Decision, Difficulty, Effort, HumanModel, Player, RATINGS, Recent, Valuer};
use halfpoint::position::{GameHistory, Move, Position};
use halfpoint::printing::{Profiles, Ratings, TimeClass, TimeControl};
use halfpoint::search::Signals;
use serde::{Deserialize, Serialize};

/// Moves that are told.
const MOVES: usize = 5;

/// What the data of a search say of the position and its players.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    fen: String,
    moves: Vec<String>,
    chess960: bool,
    white_elo: Option<u32>,
    black_elo: Option<u32>,
    time_control: Option<String>,
}

/// A rated player before a move.
pub struct Turn {
    game: GameHistory,
    recent: Recent,
    player: Player,
    chess960: bool,
}

/// What people like the player do. Shares and chances are 0 to 1, losses expected points.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct People {
    /// Their rating, Elo; the nearest one that the model knows.
    elo: f64,
    /// Their time control.
    class: &'static str,
    /// Chance of a loss of 0.1 or more.
    mistake: f64,
    /// Chance of a loss of 0.2 or more.
    blunder: f64,
    /// Mean loss.
    expected_loss: f64,
    /// The likeliest moves.
    moves: Vec<LikelyMove>,
}

#[derive(Serialize)]
struct LikelyMove {
    uci: String,
    san: String,
    share: f64,
    loss: f64,
}

impl Turn {
    /// Who moves in the position that the data of a search name. `None` if no rating is known, the game is over, or the data are
    /// malformed, which the search tells. A missing rating is taken to be that of the opponent. `control` is a time control as
    /// PGN writes it; it counts if it is of the class that the data name.
    #[must_use]
    pub fn of(data: &str, control: Option<&str>) -> Option<Turn> {
        let data: Data = serde_json::from_str(data).ok()?;
        let start = Position::from_fen(&data.fen, data.chess960).ok()?;
        let mut game = GameHistory::new(start);
        let mut moves: Vec<Move> = Vec::new();
        for text in &data.moves {
            let m = game.position().parse_move(text).ok()?;
            game.play(m);
            moves.push(m);
        }
        if game.outcome().is_some() {
            return None;
        }
        let (white, black) = Ratings { white: data.white_elo, black: data.black_elo }.both()?;
        let elo = game.position().turn().fold_wb(white, black).clamp(*RATINGS.start(), *RATINGS.end());
        let class = data.time_control.map_or(Ok(TimeClass::Classical), |name| name.parse()).ok()?;
        let player = Player::of_class(f64::from(elo), class);
        let control = control.and_then(TimeControl::of_tag);
        let control = control.filter(|&control| TimeClass::from_time_control(control) == Some(class));
        let player = control.map_or(player, |control| player.with(control));
        Some(Turn { game, recent: Recent::of(&start, &moves), player, chess960: data.chess960 })
    }

    /// What people do there, as `halfpoint human` prints it. It searches, and needs
    /// [`STACK_BYTES`](halfpoint::search::STACK_BYTES) of stack.
    #[must_use]
    pub fn people(&self, valuer: &mut Valuer) -> People {
        let Turn { game, recent, player, chess960 } = self;
        let position = game.position();
        let values = valuer.values(game, Effort::default(), &Signals::new());
        let decision = Decision::new(game, *recent, &values, player, &Profiles::shipped());
        let model = HumanModel::shipped();
        let shares = model.probabilities(&decision, player);
        let Difficulty { mistake, blunder, expected_loss } = model.difficulty(&decision, &shares);
        let mut choices: Vec<_> = decision.choices.iter().zip(shares).collect();
        choices.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        choices.truncate(MOVES);
        let likely = |(choice, share): (&Choice, f64)| LikelyMove {
            uci: position.format_move(choice.m, *chess960),
            san: san(position, choice.m),
            share,
            loss: choice.loss,
        };
        let moves = choices.into_iter().map(likely).collect();
        People { elo: player.elo, class: player.class.name(), mistake, blunder, expected_loss, moves }
    }
}
