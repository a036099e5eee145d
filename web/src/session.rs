//! Requests to answers.

use crate::people::Turn;
use crate::position::Shown;
use crate::requests::{Answer, GameOptions, Listed, Request};
use halfpoint::analysis::{
    Analysis, AnalysisOptions, Batch, InputError, SearchOptions, Searcher, Selection, Source, annotated_pgn,
    answer_request_as_found, page_entry, page_frame, read,
};
use halfpoint::games::decompressed;
use halfpoint::human::Valuer;
use halfpoint::printing::Profiles;
use halfpoint::search::OutOfMemory;
use serde::Serialize;
use std::io::Cursor;
use std::ops::ControlFlow;

/// The engine of a page, or of one of its workers: games that were read, and the one that is analysed.
///
/// A request is a line of JSON, and behind it data. The answer is JSON, too; with an `error` if there is none. Requests that
/// search need [`STACK_BYTES`](halfpoint::search::STACK_BYTES) of stack. They cannot be interrupted, but each `step` is one
/// position.
#[derive(Default)]
pub struct Session {
    sources: Vec<Source>,
    game: Option<GameInWork>,
    searcher: Option<(SearchKey, Searcher)>,
    /// For moves that people play.
    valuer: Option<Valuer>,
}

/// The game that is analysed.
struct GameInWork {
    source: Source,
    analysis: Analysis,
    batch: Batch,
    search: SearchOptions,
}

/// What makes one searcher another.
type SearchKey = (Option<u64>, usize);

/// How often the lines of a search are told before it pauses for what people play. The first lines come at once.
const LINES_FIRST: usize = 8;

impl Session {
    /// Answers a request. `tell` gets answers that come before the last one.
    pub fn answer(&mut self, request: &[u8], tell: &mut dyn FnMut(&str)) -> String {
        let (line, data) = match request.iter().position(|&byte| byte == b'\n') {
            Some(end) => (&request[..end], &request[end + 1..]),
            None => (request, &[][..]),
        };
        let answer = match serde_json::from_slice(line) {
            Ok(Request::Read { name }) => self.read(&name, data),
            Ok(Request::Begin { game, options }) => self.begin(game, &options),
            Ok(Request::Step) => self.step(),
            Ok(Request::Frame { title, are_positions }) => {
                Ok(Answer::Frame { frame: page_frame(are_positions, &title) })
            }
            Ok(Request::Search { control }) => {
                match self.search(&String::from_utf8_lossy(data), control.as_deref(), tell) {
                    Ok(answer) => return answer,
                    Err(error) => Err(error),
                }
            }
            Ok(Request::Position { fen, moves }) => match Shown::after(&fen, &moves) {
                Ok(shown) => return to_json(&shown),
                Err(error) => Err(error),
            },
            Err(error) => Err(error.to_string()),
        };
        to_json(&answer.unwrap_or_else(|error| Answer::Failed { error }))
    }

    fn read(&mut self, name: &str, data: &[u8]) -> Result<Answer, String> {
        (self.sources, self.game) = (Vec::new(), None);
        let input = decompressed(Cursor::new(data.to_vec()))
            .map_err(|error| InputError::new(name, error))
            .and_then(|reader| read(name, reader, &Selection::default(), false))
            .map_err(|error| error.to_string())?;
        self.sources = input.sources;
        Ok(Answer::Read {
            are_positions: input.are_positions,
            games: self.sources.iter().map(Listed::of).collect(),
            faults: input.faults,
            warnings: input.warnings,
        })
    }

    fn begin(&mut self, game: usize, options: &GameOptions) -> Result<Answer, String> {
        let source = self.sources.get(game).ok_or("no such game")?.clone();
        let options = options.for_game(&source.tags)?;
        let mut analysis = Analysis::new(vec![source.clone()], &options, []).map_err(|unknown| unknown.to_string())?;
        let batch = analysis.next_batch().ok_or("nothing to search")?;
        self.game = Some(GameInWork { source, analysis, batch, search: options.search });
        Ok(Answer::Done { done: 0 })
    }

    fn step(&mut self) -> Result<Answer, String> {
        let mut game = self.game.take().ok_or("no game was begun")?;
        let searcher = searcher(&mut self.searcher, &game.search)?;
        match game.batch.step(searcher, &mut |_| ControlFlow::Continue(())) {
            Some(searched) => {
                game.analysis.add(searched.map_err(|stopped| stopped.to_string())?);
                let done = game.analysis.done();
                self.game = Some(game);
                Ok(Answer::Done { done })
            }
            None => {
                let report = game.analysis.report(0).ok_or("a search is missing")?;
                let (entry, pgn) = (page_entry(&report), annotated_pgn(&game.source, &report));
                Ok(Answer::Report { json: report.to_json_line(), entry, pgn })
            }
        }
    }

    fn search(&mut self, request: &str, control: Option<&str>, tell: &mut dyn FnMut(&str)) -> Result<String, String> {
        let options = AnalysisOptions::default();
        let searcher = searcher(&mut self.searcher, &options.search)?;
        let (mut turn, valuer) = (Turn::of(request, control), &mut self.valuer);
        let mut tell_people = |tell: &mut dyn FnMut(&str)| -> Result<(), OutOfMemory> {
            let Some(turn) = turn.take() else { return Ok(()) };
            let valuer = match valuer {
                Some(valuer) => valuer,
                None => valuer.insert(Valuer::new()?),
            };
            tell(&to_json(&Answer::People { people: turn.people(valuer) }));
            Ok(())
        };
        let (mut times, mut outcome) = (0, Ok(()));
        let mut tell_lines = |answer: &str| {
            tell(answer);
            times += 1;
            if times == LINES_FIRST {
                outcome = tell_people(tell);
            }
            ControlFlow::Continue(())
        };
        let reply = answer_request_as_found(searcher, request, &options, &Profiles::shipped(), &mut tell_lines);
        // A search may end before.
        outcome.and_then(|()| tell_people(tell)).map_err(|error| error.to_string())?;
        Ok(reply.json)
    }
}

/// The searcher for these options; the one before, if it had the same.
fn searcher<'a>(
    kept: &'a mut Option<(SearchKey, Searcher)>,
    options: &SearchOptions,
) -> Result<&'a mut Searcher, String> {
    let key = (options.nodes, options.multi_pv);
    let searcher = match kept.take() {
        Some((known, searcher)) if known == key => searcher,
        _ => Searcher::new(options).map_err(|error| error.to_string())?,
    };
    Ok(&mut kept.insert((key, searcher)).1)
}

fn to_json(value: &impl Serialize) -> String {
    // Numbers, texts and lists can always be written.
    serde_json::to_string(value).unwrap_or_default()
}
