//! Files of known perft counts, a position in each line: `FEN ;D1 20 ;D2 400 …`.

use halfpoint::position::Position;

/// Known counts of one position.
pub struct Counts {
    pub position: Position,
    /// Depth in plies and number of move sequences.
    pub counts: Vec<(u32, u64)>,
}

impl Counts {
    /// # Errors
    ///
    /// What is wrong, and in which line.
    pub fn parse(text: &str) -> Result<Vec<Counts>, String> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(index, line)| Counts::parse_line(line).map_err(|why| format!("line {}: {why}", index + 1)))
            .collect()
    }

    fn parse_line(line: &str) -> Result<Counts, String> {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap_or_default();
        let position = Position::from_fen(fen, false).map_err(|error| error.to_string())?;
        let count = |field: &str| {
            let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
        };
        let counts: Result<Vec<_>, _> =
            fields.map(|field| count(field).ok_or_else(|| format!("no depth and count in '{field}'"))).collect();
        let counts = counts?;
        if counts.is_empty() { Err("no counts".to_owned()) } else { Ok(Counts { position, counts }) }
    }

    /// Compares the counts up to `max_depth` plies. Returns how many were compared.
    ///
    /// # Errors
    ///
    /// The first count that differs.
    pub fn compare(&self, max_depth: u32) -> Result<usize, String> {
        let mut compared = 0;
        for &(depth, expected) in self.counts.iter().filter(|(depth, _)| *depth <= max_depth) {
            let counted = self.position.perft(depth);
            if counted != expected {
                return Err(format!("{} D{depth}: {counted}, not {expected}", self.position.fen()));
            }
            compared += 1;
        }
        Ok(compared)
    }
}
