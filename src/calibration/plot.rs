//! Figures as files.

use super::Error;
use crate::uci::line;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a figure as `path.svg`, and drawn from that as `path.png`. An ending `.svg` or `.png` of the path does not count.
///
/// # Errors
///
/// [`Error`] if a file cannot be written.
pub fn save(path: &Path, svg: &str) -> Result<(), Error> {
    let (vector, raster) = (with_ending(path, "svg"), with_ending(path, "png"));
    fs::write(&vector, svg).map_err(Error::unwritable(&vector))?;
    let mut options = Options::default();
    options.fontdb_mut().load_system_fonts();
    match sans_serif(&options.fontdb) {
        Some(family) => options.fontdb_mut().set_sans_serif_family(family),
        None => eprintln!("warning: no font found, '{}' has no text", raster.display()),
    }
    let tree = Tree::from_str(svg, &options).map_err(|reason| Error::content(&vector, reason))?;
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| Error::Data(format!("'{}': a figure of no size", raster.display())))?;
    resvg::render(&tree, Transform::default(), &mut pixels.as_mut());
    let png = pixels.encode_png().map_err(|reason| Error::content(&raster, reason))?;
    fs::write(&raster, png).map_err(Error::unwritable(&raster))?;
    line(format_args!("figure in {} and {}", vector.display(), raster.display()));
    Ok(())
}

/// The family that `sans-serif` stands for: what the system says, a usual one, or any.
fn sans_serif(fonts: &Database) -> Option<String> {
    let usual = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica"].map(Family::Name);
    let families = [&[Family::SansSerif], &usual[..]].concat();
    let known = fonts.query(&Query { families: &families, ..Query::default() }).and_then(|id| fonts.face(id));
    Some(known.or_else(|| fonts.faces().next())?.families.first()?.0.clone())
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let stem = match path.extension() {
        Some(extension) if extension == "svg" || extension == "png" => path.with_extension(""),
        _ => path.to_owned(),
    };
    let mut name = stem.into_os_string();
    name.push(".");
    name.push(ending);
    name.into()
}
