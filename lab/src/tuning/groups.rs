//! Groups of games that differ in level: by the file's name before `=`, time class and band of ratings.

use super::source::Conditions;
use anyhow::{Result, bail};
use halfpoint::printing::TimeClass;

/// Games below which a group has no level of its own, as too little would be known of it.
pub const FEW_GAMES: usize = 200;
/// Width of a band, Elo.
const BAND: u32 = 400;
/// Most groups: a row has a byte for it.
const MAX_GROUPS: usize = 256;

/// What the games of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    file: String,
    class: Option<TimeClass>,
    /// Number of the band of the mean rating.
    band: Option<u32>,
}

impl Key {
    fn name(&self) -> String {
        let class = self.class.map(|class| class.name().to_owned());
        let band = self.band.map(|band| format!("{}-{}", band * BAND, (band + 1) * BAND - 1));
        let file = Some(self.file.clone()).filter(|file| !file.is_empty());
        [file, class, band].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The groups of the games read so far, in the order in which they appeared.
#[derive(Debug, Default)]
pub struct Groups {
    keys: Vec<Key>,
    games: Vec<usize>,
}

/// Groups once all games are read.
#[derive(Debug, PartialEq, Eq)]
pub struct Joined {
    /// Names; the first group is the one whose level the weights have.
    pub names: Vec<String>,
    /// Number of games of each.
    pub games: Vec<usize>,
    /// New number of each group as it was while reading.
    pub numbers: Vec<u8>,
}

impl Groups {
    /// Number of the group of one more game.
    pub fn add(&mut self, file: &str, conditions: &Conditions) -> Result<u8> {
        let band = conditions.mean_rating.map(|rating| rating / BAND);
        let key = Key { file: file.to_owned(), class: conditions.class, band };
        let number = self.keys.iter().position(|known| *known == key).unwrap_or(self.keys.len());
        if number == self.keys.len() {
            if number == MAX_GROUPS {
                bail!("more than {MAX_GROUPS} groups of files, time classes and bands of ratings");
            }
            self.keys.push(key);
            self.games.push(0);
        }
        self.games[number] += 1;
        Ok(number as u8)
    }

    /// Joins bands with few games to one group of their time class, classes with few games to the largest group of their file,
    /// and puts the largest of the first file first.
    pub fn join(&self) -> Joined {
        let mut files: Vec<&str> = Vec::new();
        for key in &self.keys {
            if !files.contains(&key.file.as_str()) {
                files.push(&key.file);
            }
        }
        let mut joined = Joined { names: Vec::new(), games: Vec::new(), numbers: vec![0; self.keys.len()] };
        for file in files {
            let own: Vec<usize> = (0..self.keys.len()).filter(|&group| self.keys[group].file == file).collect();
            // What becomes of each group: its own, or that of its class in any band.
            let mut parts: Vec<(Key, Vec<usize>)> = Vec::new();
            for &group in &own {
                let mut key = self.keys[group].clone();
                if self.games[group] < FEW_GAMES {
                    key.band = None;
                }
                match parts.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, members)) => members.push(group),
                    None => parts.push((key, vec![group])),
                }
            }
            let games = |members: &[usize]| members.iter().map(|&group| self.games[group]).sum::<usize>();
            parts.sort_by_key(|(_, members)| std::cmp::Reverse(games(members)));
            let largest = joined.names.len();
            let is_alone = parts.iter().skip(1).all(|(_, members)| games(members) < FEW_GAMES);
            for (place, (key, members)) in parts.into_iter().enumerate() {
                let few = place > 0 && games(&members) < FEW_GAMES;
                let number = if few { largest } else { joined.names.len() };
                if few {
                    joined.games[largest] += games(&members);
                } else {
                    joined.names.push(if is_alone { file.to_owned() } else { key.name() });
                    joined.games.push(games(&members));
                }
                members.iter().for_each(|&group| joined.numbers[group] = number as u8);
            }
        }
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_games_share_the_level_of_most() {
        let mut groups = Groups::default();
        let conditions = |class, mean_rating| Conditions { class, mean_rating, advantage: 0 };
        let (blitz, slow) =
            (conditions(Some(TimeClass::Blitz), Some(1700)), conditions(Some(TimeClass::Classical), Some(2300)));
        let unknown = conditions(None, None);
        for (file, conditions, count) in
            [("a", &slow, 250), ("a", &blitz, 300), ("a", &unknown, 20), ("b", &unknown, 5), ("a", &slow, 1)]
        {
            (0..count).for_each(|_| {
                groups.add(file, conditions).unwrap();
            });
        }
        let Joined { names, games, numbers } = groups.join();
        assert_eq!(names, ["a blitz 1600-1999", "a classical 2000-2399", "b"]);
        assert_eq!((games, numbers), (vec![320, 251, 5], vec![1, 0, 0, 2]));
    }

    #[test]
    fn bands_with_few_games_stay_in_their_class() {
        let mut groups = Groups::default();
        for (class, rating, count) in [
            (TimeClass::Bullet, 1300, 150),
            (TimeClass::Bullet, 1700, 250),
            (TimeClass::Bullet, 2100, 150),
            (TimeClass::Classical, 1700, 190),
            (TimeClass::Classical, 2100, 190),
            (TimeClass::Rapid, 1700, 20),
        ] {
            let conditions = Conditions { class: Some(class), mean_rating: Some(rating), advantage: 0 };
            (0..count).for_each(|_| {
                groups.add("", &conditions).unwrap();
            });
        }
        let Joined { names, games, numbers } = groups.join();
        assert_eq!(names, ["classical", "bullet", "bullet 1600-1999"]);
        assert_eq!((games, numbers), (vec![400, 300, 250], vec![1, 2, 1, 0, 0, 0]));
    }
}
