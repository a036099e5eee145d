//! What a rating advantage is worth in wilo.

use crate::number_table;
use crate::wdl::model::WILO_UNITS;

number_table! {
    /// What a rating advantage is worth in wilo; contempt is made of it. Table `[contempt]` of engine-params/nominal.toml.
    pub struct ContemptScale {
        /// Wilo for each Elo of rating advantage, with all pieces on the board.
        pawns_per_elo: f64 = 0.0055, 0.0..=0.1, step 0.001, "pawns per Elo";
        /// The same with pawns and kings only: less is left of the game to be better in.
        endgame_pawns_per_elo: f64 = 0.002, 0.0..=0.1, step 0.001, "pawns per Elo";
        /// Largest wilo that a rating advantage is worth.
        limit_wilo: i32 = 400, 0..=2000, step 50, "centipawns of wilo";
    }
}

impl ContemptScale {
    /// Wilo of a rating advantage in Elo, in centipawns: with all pieces on the board, and with pawns and kings only. At the
    /// limit both are cut by the same factor. Antisymmetric.
    #[must_use]
    pub fn wilo(&self, elo: i32) -> [i32; 2] {
        let pawns = [self.pawns_per_elo, self.endgame_pawns_per_elo].map(|each| each * f64::from(elo));
        let largest = pawns[0].abs().max(pawns[1].abs()) * WILO_UNITS;
        let scale = (f64::from(self.limit_wilo) / largest.max(f64::MIN_POSITIVE)).min(1.0);
        pawns.map(|pawns| (pawns * scale * WILO_UNITS).round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilo_goes_with_elo_up_to_a_limit() {
        let scale = ContemptScale { pawns_per_elo: 0.01, endgame_pawns_per_elo: 0.004, ..ContemptScale::default() };
        for (elo, wilo) in [(0, [0, 0]), (100, [100, 40]), (-50, [-50, -20])] {
            assert_eq!(scale.wilo(elo), wilo);
        }
        let largest = scale.limit_wilo;
        assert_eq!(scale.wilo(1_000_000), [largest, largest * 2 / 5]);
        assert_eq!(scale.wilo(-1_000_000), [-largest, -largest * 2 / 5]);
    }
}
