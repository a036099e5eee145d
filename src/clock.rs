//! The one source of time.
//!
//! `std::time::Instant::now` panics on `wasm32-unknown-unknown`. There [`Instant`] is that of the `web-time` crate, which
//! asks the host for `performance.now()`; everywhere else it is the one of `std`. Nothing else in this crate reads a
//! clock or sleeps.

use std::time::Duration;
pub use web_time::Instant;

/// Lets other threads run for about `time`. Without threads there is nobody to wait for, and it returns at once.
pub fn pause(time: Duration) {
    if cfg!(not(target_family = "wasm")) {
        std::thread::sleep(time);
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
