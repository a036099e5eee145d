//! The table of options.

use super::kind::{EMPTY, OptionKind, UciOption};
use super::setting::SetOption;
use crate::human::{DEFAULT_ELO, MAX_ELO as MAX_HUMAN_ELO, MIN_ELO};
use crate::printing::TimeClass;
use crate::printing::{FROM_FILE, MAX_RATING, NOMINAL, Profiles, UNCORRECTED};
use crate::search::{DEFAULT_HASH_MIB, MAX_HASH_MIB, MAX_THREADS};
use crate::uci::contempt::{MAX_CONTEMPT, Side};
use shakmaty::Color;
use std::path::PathBuf;
use std::time::Duration;

/// Largest `MultiPV`.
const MAX_MULTI_PV: i32 = 256;
/// Largest `Move Overhead`, in milliseconds.
const MAX_OVERHEAD_MS: i32 = 5000;
/// Pieces of the largest Syzygy tables that there are.
const MAX_TABLE_PIECES: i32 = 7;
/// Largest `WDL_WhiteElo`, `WDL_BlackElo` and `OwnElo`.
const MAX_ELO: i32 = MAX_RATING as i32;
/// Largest `UCI_RatingAdv`. Clients send any difference of ratings.
const MAX_ADVANTAGE: i32 = 10_000;
/// Values of `Evaluation`: with and without a network.
const EVALUATIONS: [&str; 2] = ["network", "terms"];

/// The options of every build, in the order of the answer to `uci`.
pub const OPTIONS: [UciOption; 39] = [
    UciOption {
        name: "Hash",
        kind: OptionKind::Spin {
            default: DEFAULT_HASH_MIB as i32,
            min: 1,
            max: MAX_HASH_MIB as i32,
            set: |mib| SetOption::Hash(mib as usize),
        },
        purpose: "size of the hash table in MiB",
    },
    UciOption {
        name: "Clear Hash",
        kind: OptionKind::Button { press: SetOption::ClearHash },
        purpose: "forget what earlier searches found",
    },
    UciOption {
        name: "Threads",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: MAX_THREADS as i32,
            set: |threads| SetOption::Threads(threads as usize),
        },
        purpose: "number of search threads",
    },
    UciOption {
        name: "MultiPV",
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: MAX_MULTI_PV,
            set: |lines| SetOption::MultiPv(lines as usize),
        },
        purpose: "number of best moves to report, each with its line",
    },
    UciOption {
        name: "Ponder",
        kind: OptionKind::Check { default: false, set: SetOption::Ponder },
        purpose: "the engine will ponder, so it spends more time on each move",
    },
    UciOption {
        name: "Move Overhead",
        kind: OptionKind::Spin { default: 10, min: 0, max: MAX_OVERHEAD_MS, set: milliseconds },
        purpose: "milliseconds lost between engine and clock with each move",
    },
    UciOption {
        name: "ClockLead",
        kind: OptionKind::Check { default: false, set: SetOption::ClockLead },
        purpose: "with more time than the opponent, play slower when behind and faster when ahead",
    },
    UciOption {
        name: "UCI_ShowWDL",
        kind: OptionKind::Check { default: false, set: SetOption::ShowWdl },
        purpose: "print win, draw and loss per mille with each score",
    },
    UciOption {
        name: "ShowWDL",
        kind: OptionKind::Check { default: false, set: SetOption::ShowWdl },
        purpose: "same as UCI_ShowWDL, for clients that hide options named UCI_",
    },
    UciOption {
        name: "PgnComment",
        kind: OptionKind::Check { default: false, set: SetOption::PgnComment },
        purpose: "print win, draw and loss before each bestmove, for comments in games of OpenBench",
    },
    UciOption {
        name: "UCI_Chess960",
        kind: OptionKind::Check { default: false, set: SetOption::Chess960 },
        purpose: "accept any castling rights; print castling as king takes rook",
    },
    UciOption {
        name: "SyzygyPath",
        kind: OptionKind::Text { set: |text| SetOption::SyzygyPath(filled(text).unwrap_or_default().into()) },
        purpose: "folders of Syzygy tables, separated as in PATH; empty for none",
    },
    UciOption {
        name: "SyzygyProbeDepth",
        kind: OptionKind::Spin { default: 1, min: 1, max: 100, set: SetOption::SyzygyProbeDepth },
        purpose: "least depth at which positions with the most pieces are looked up",
    },
    UciOption {
        name: "Syzygy50MoveRule",
        kind: OptionKind::Check { default: true, set: SetOption::Syzygy50MoveRule },
        purpose: "table wins that take more than fifty moves are draws",
    },
    UciOption {
        name: "SyzygyProbeLimit",
        kind: OptionKind::Spin {
            default: MAX_TABLE_PIECES,
            min: 0,
            max: MAX_TABLE_PIECES,
            set: |pieces| SetOption::SyzygyProbeLimit(pieces as usize),
        },
        purpose: "most pieces, kings and pawns included, for which tables are used",
    },
    UciOption {
        name: "EvalParams",
        kind: OptionKind::Text { set: eval_params },
        purpose: "TOML file of evaluation weights; empty for the built-in ones",
    },
    UciOption {
        name: "Evaluation",
        kind: OptionKind::Combo { names: || EVALUATIONS.map(str::to_owned).to_vec(), set: evaluation },
        purpose: "network: learned features beside the terms; terms: the hand-crafted ones alone",
    },
    UciOption {
        name: "EvalFile",
        kind: OptionKind::Text { set: |value| SetOption::EvalFile(path(value)) },
        purpose: "file of a network for Evaluation; empty for the built-in one",
    },
    UciOption {
        name: "WDL_ProfileFile",
        kind: OptionKind::Text { set: profile_file },
        purpose: "TOML file of level profiles; empty for the built-in ones",
    },
    UciOption {
        name: "WDL_Profile",
        kind: OptionKind::Combo { names: profile_names, set: profile },
        purpose: "players that printed W/D/L are for; changes nothing else",
    },
    UciOption {
        name: "WDL_NominalFile",
        kind: OptionKind::Text { set: nominal_file },
        purpose: "TOML file of the scale of scores and contempt; empty for the built-in one",
    },
    UciOption {
        name: "WDL_WhiteElo",
        kind: OptionKind::Spin { default: 0, min: 0, max: MAX_ELO, set: |elo| rating(Color::White, elo) },
        purpose: "rating of White, for W/D/L in place of WDL_Profile; 0 for unknown",
    },
    UciOption {
        name: "WDL_BlackElo",
        kind: OptionKind::Spin { default: 0, min: 0, max: MAX_ELO, set: |elo| rating(Color::Black, elo) },
        purpose: "rating of Black; where one is unknown the other stands for both",
    },
    UciOption {
        name: "WDL_TimeControl",
        kind: OptionKind::Combo {
            names: || TimeClass::TIMED.map(|class| class.name().to_owned()).to_vec(),
            set: |name| TimeClass::timed(name).ok().map(SetOption::WdlTimeControl),
        },
        purpose: "time control of the rated players' game",
    },
    UciOption {
        name: "WDL_Clocks",
        kind: OptionKind::Check { default: false, set: SetOption::WdlClocks },
        purpose: "W/D/L of blitz and bullet games by the time left on both clocks, too",
    },
    UciOption {
        name: "Contempt",
        kind: OptionKind::Spin { default: 0, min: -MAX_CONTEMPT, max: MAX_CONTEMPT, set: SetOption::Contempt },
        purpose: "rating advantage of the engine in Elo: positive avoids draws, negative seeks them",
    },
    UciOption {
        name: "AutoContempt",
        kind: OptionKind::Check { default: false, set: SetOption::AutoContempt },
        purpose: "with Contempt 0, use UCI_RatingAdv, or UCI_Opponent and OwnElo",
    },
    UciOption {
        name: "UCI_RatingAdv",
        kind: OptionKind::Spin { default: 0, min: -MAX_ADVANTAGE, max: MAX_ADVANTAGE, set: SetOption::RatingAdvantage },
        purpose: "rating advantage of the engine, set by the client, for AutoContempt; 0 for unknown",
    },
    UciOption {
        name: "UCI_Opponent",
        kind: OptionKind::Text { set: |text| SetOption::Opponent(filled(text).unwrap_or_default().to_owned()) },
        purpose: "title, rating, kind and name of the opponent, for AutoContempt",
    },
    UciOption {
        name: "OwnElo",
        kind: OptionKind::Spin { default: 0, min: 0, max: MAX_ELO, set: SetOption::OwnElo },
        purpose: "rating of the engine, for AutoContempt; 0 for unknown",
    },
    UciOption {
        name: "ContemptSide",
        kind: OptionKind::Combo {
            names: || Side::NAMES.map(str::to_owned).to_vec(),
            set: |name| Side::parse(name).map(SetOption::ContemptSide),
        },
        purpose: "who has the advantage: play (side to move, except in analysis), white, black, off",
    },
    UciOption {
        name: "ShowContempt",
        kind: OptionKind::Check { default: false, set: SetOption::ShowContempt },
        purpose: "print scores and W/D/L with contempt; otherwise it is taken out",
    },
    UciOption {
        name: "UCI_LimitStrength",
        kind: OptionKind::Check { default: false, set: SetOption::LimitStrength },
        purpose: "play as people of UCI_Elo do; analysis is not limited",
    },
    UciOption {
        name: "UCI_Elo",
        kind: OptionKind::Spin { default: DEFAULT_ELO, min: MIN_ELO, max: MAX_HUMAN_ELO, set: SetOption::Elo },
        purpose: "rating of the people that UCI_LimitStrength plays as, in games of WDL_TimeControl",
    },
    UciOption {
        name: "LimitStrength",
        kind: OptionKind::Check { default: false, set: SetOption::LimitStrength },
        purpose: "same as UCI_LimitStrength, for clients that hide options named UCI_",
    },
    UciOption {
        name: "LimitElo",
        kind: OptionKind::Spin { default: DEFAULT_ELO, min: MIN_ELO, max: MAX_HUMAN_ELO, set: SetOption::Elo },
        purpose: "same as UCI_Elo, for clients that hide options named UCI_",
    },
    UciOption {
        name: "HumanSeed",
        kind: OptionKind::Spin { default: 0, min: 0, max: i32::MAX, set: SetOption::HumanSeed },
        purpose: "with UCI_LimitStrength, the same number plays the same game; 0 for others",
    },
    UciOption {
        name: "HumanFile",
        kind: OptionKind::Text { set: |value| SetOption::HumanFile(path(value)) },
        purpose: "TOML file of how people move; empty for the built-in one",
    },
    UciOption {
        name: "UCI_AnalyseMode",
        kind: OptionKind::Check { default: false, set: SetOption::AnalyseMode },
        purpose: "treat every search as analysis, as 'go infinite' always is",
    },
];

/// The file of all constants of the search, for tuners: only in a build with the feature `spsa`.
#[cfg(any(test, feature = "spsa"))]
pub const SEARCH_PARAMS: UciOption = UciOption {
    name: "SearchParams",
    kind: OptionKind::Text { set: |value| SetOption::SearchParams(path(value)) },
    purpose: "TOML file of search constants; empty for the built-in ones",
};

fn milliseconds(value: i32) -> SetOption {
    SetOption::MoveOverhead(Duration::from_millis(value.unsigned_abs().into()))
}

fn rating(color: Color, elo: i32) -> SetOption {
    SetOption::WdlElo(color, elo.unsigned_abs())
}

fn eval_params(value: &str) -> SetOption {
    SetOption::EvalParams(path(value))
}

fn evaluation(value: &str) -> Option<SetOption> {
    let place = EVALUATIONS.iter().position(|name| name.eq_ignore_ascii_case(value))?;
    Some(SetOption::UseNetwork(place == 0))
}

fn profile_names() -> Vec<String> {
    let shipped = Profiles::shipped();
    [NOMINAL, UNCORRECTED].into_iter().chain(shipped.names()).chain([FROM_FILE]).map(str::to_owned).collect()
}

fn profile(value: &str) -> Option<SetOption> {
    Some(SetOption::WdlProfile(value.to_owned()))
}

fn profile_file(value: &str) -> SetOption {
    SetOption::WdlProfileFile(path(value))
}

fn nominal_file(value: &str) -> SetOption {
    SetOption::WdlNominalFile(path(value))
}

fn path(value: &str) -> Option<PathBuf> {
    filled(value).map(PathBuf::from)
}

/// The value, unless it is empty.
fn filled(value: &str) -> Option<&str> {
    (!value.is_empty() && value != EMPTY).then_some(value)
}
