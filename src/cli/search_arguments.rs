//! Arguments that say how positions are searched.

use clap::Args;
use halfpoint::analysis::SearchOptions;
use halfpoint::output::{error_line, one_line};
use halfpoint::search::{DEFAULT_HASH_MIB, MAX_HASH_MIB, MAX_THREADS};
use halfpoint::tablebase::Tables;
use std::ffi::OsString;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// How each position is searched.
#[derive(Args)]
pub struct SearchArguments {
    /// Nodes for each position [default: 100000, if there is no other limit]
    #[arg(long, value_parser = clap::value_parser!(u64).range(SearchOptions::NODES))]
    nodes: Option<u64>,
    /// Seconds for each position
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Depth for each position, in plies
    #[arg(long, value_parser = clap::value_parser!(u64).range(SearchOptions::DEPTHS))]
    depth: Option<u64>,
    /// Games or positions searched side by side [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MAX_THREADS as u64))]
    threads: Option<u64>,
    /// Transposition table of each thread, MiB
    #[arg(long, default_value_t = DEFAULT_HASH_MIB as u64, value_parser = clap::value_parser!(u64).range(1..=MAX_HASH_MIB as u64))]
    hash: u64,
    /// Folders of Syzygy tables, separated as in PATH
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<OsString>,
    /// Best lines of each position
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(SearchOptions::LINES))]
    multipv: u64,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = time.filter(|&time| time >= SearchOptions::LEAST_TIME);
    time.ok_or_else(|| format!("not a number of seconds from {}", SearchOptions::LEAST_TIME.as_secs_f64()))
}

impl SearchArguments {
    /// The options of the search.
    pub fn options(&self) -> SearchOptions {
        let is_limited = self.time.is_some() || self.depth.is_some();
        let mut options = SearchOptions::default();
        options.nodes = self.nodes.or(options.nodes.filter(|_| !is_limited));
        options.time = self.time;
        options.depth = self.depth.map(|depth| depth as usize);
        options.multi_pv = self.multipv as usize;
        options.hash_mib = self.hash as usize;
        options.tables = self.syzygy.as_deref().map(|folders| Arc::new(Tables::open(folders)));
        options
    }

    /// Reports what was found wrong with the tables.
    pub fn report_faults(options: &SearchOptions) {
        let faults = options.tables.as_deref().map(Tables::take_faults).unwrap_or_default();
        faults.iter().for_each(|fault| error_line(format_args!("{}", one_line(&fault.to_string()))));
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), |threads| threads as usize)
    }
}
