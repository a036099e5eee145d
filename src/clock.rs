//! The one source of time.
//!
//! `std::time::Instant::now` panics on `wasm32-unknown-unknown`. There [`Instant`] asks the clock that the host has set, by
//! [`set_clock`]; everywhere else it is the one of `std`. Nothing else in this crate reads a clock or sleeps.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, set_clock};
use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// Lets other threads run for about `time`. Without threads there is nobody to wait for, and it returns at once.
pub fn pause(time: Duration) {
    if cfg!(not(target_family = "wasm")) {
        std::thread::sleep(time);
    }
}

/// Time where the system has no clock.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host {
    use std::sync::OnceLock;
    use std::time::Duration;

    static NOW: OnceLock<fn() -> f64> = OnceLock::new();

    /// Sets the clock: milliseconds since any moment, which never go back, such as those of `performance.now()`. Only the first
    /// clock counts. Without one time stands still: searches that time limits do not end by it.
    pub fn set_clock(now: fn() -> f64) {
        // A second clock would let time jump.
        let _ = NOW.set(now);
    }

    /// A moment, as time since the clock's own.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            let milliseconds = NOW.get().map_or(0.0, |now| now());
            Instant(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default())
        }

        /// Time since this moment.
        pub fn elapsed(&self) -> Duration {
            Instant::now().duration_since(*self)
        }

        /// Time from an earlier moment to this one; zero if it is not earlier.
        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{fs, io};

    /// Calls `look` with every Rust file below a directory.
    fn visit(directory: &Path, look: &mut dyn FnMut(&Path, &str)) -> io::Result<()> {
        for entry in fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                visit(&path, look)?;
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                look(&path, &fs::read_to_string(&path)?);
            }
        }
        Ok(())
    }

    #[test]
    fn nothing_else_reads_the_time() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let clock = source.join("clock.rs");
        let mut seen = 0;
        visit(&source, &mut |path, text| {
            seen += 1;
            // An import from `std::time` names what it takes, so that `Instant` shows on the same line.
            let reads = |line: &str| {
                line.contains("std::time") && ["Instant", "SystemTime", "*"].iter().any(|name| line.contains(name))
            };
            let sleeps = |line: &str| line.contains("thread::sleep") && !path.ends_with("tests.rs");
            let line = text.lines().find(|line| reads(line) || sleeps(line));
            assert!(path == clock || line.is_none(), "{}: {line:?}", path.display());
        })
        .unwrap();
        assert!(seen > 30, "{seen} files");
    }
}
