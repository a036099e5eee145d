//! Output files of reports; `-` is standard output.

use halfpoint::files::{self, State};
use halfpoint::games::STANDARD_INPUT;
use halfpoint::output::write_whole;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The name that stands for standard output.
const STANDARD_OUTPUT: &str = "-";
/// Other names that it has.
const OUTPUT_DEVICES: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// A file cannot be written.
#[derive(Debug, Error)]
#[error("cannot write '{}': {reason}", path.display())]
pub struct ReportFileError {
    path: PathBuf,
    reason: io::Error,
}

/// A file that can be written.
pub struct ReportFile {
    pub path: PathBuf,
    /// What was there.
    before: State,
}

impl ReportFile {
    /// The file if it can be written, which changes nothing; see [`files::check_own`].
    ///
    /// # Errors
    ///
    /// [`ReportFileError`] if it cannot.
    pub fn check(path: &Path, is_own: impl Fn(&str) -> bool, overwrite: bool) -> Result<ReportFile, ReportFileError> {
        let file = ReportFile { path: path.to_owned(), before: files::state(path) };
        let result = if file.is_output() { Ok(()) } else { files::check_own(path, is_own, overwrite) };
        result.map(|()| file).map_err(|reason| ReportFileError { path: path.to_owned(), reason })
    }

    /// Whether it is standard output.
    pub fn is_output(&self) -> bool {
        self.path == Path::new(STANDARD_OUTPUT) || OUTPUT_DEVICES.iter().any(|device| self.path == Path::new(device))
    }

    /// Writes the file as a whole, or standard output. A reader of that who has seen enough is no error.
    ///
    /// # Errors
    ///
    /// [`ReportFileError`] if it cannot be written, or if another program has written it since it was checked.
    pub fn write(&self, text: &str) -> Result<(), ReportFileError> {
        let result = if self.is_output() {
            write_whole(text)
                .or_else(|error| if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })
        } else if files::state(&self.path) == self.before {
            files::write(&self.path, text)
        } else {
            Err(io::Error::new(io::ErrorKind::AlreadyExists, "another program has written it meanwhile"))
        };
        result.map_err(|reason| ReportFileError { path: self.path.clone(), reason })
    }
}

/// Refuses outputs that are the same, or that are an input; see [`files::check_apart`].
///
/// # Errors
///
/// [`ReportFileError`] with the first output.
pub fn check_apart<'a>(outputs: &[&'a Path], input: &'a Path) -> Result<(), ReportFileError> {
    let real = |path: &'a Path, name: &str, device: &'static str| match path == Path::new(name) {
        true => Path::new(device),
        false => path,
    };
    let paths: Vec<_> = outputs.iter().map(|path| real(path, STANDARD_OUTPUT, "/dev/stdout")).collect();
    let checked = files::check_apart(&paths, [real(input, STANDARD_INPUT, "/dev/stdin")]);
    let path = || outputs.first().map_or_else(PathBuf::new, |path| path.to_path_buf());
    checked.map_err(|reason| ReportFileError { path: path(), reason })
}
