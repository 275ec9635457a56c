//! "Did you mean": finds the nearest valid name.

use super::{Message, message};
use std::cell::LazyCell;

/// The maximum length of a name to search for, in bytes. The longest names in Kubernetes have 253.
const LONGEST: usize = 300;

/// The maximum number of candidates of one search.
const MAX_CANDIDATES: usize = 1_000;

/// The maximum cost of one search. The distance of two strings costs the product of their lengths,
/// and a run can search for thousands of names among thousands.
const MAX_WORK: usize = 4_000;

/// The fixed cost of a distance, in addition to the product of the lengths.
const EACH: usize = 50;

/// The candidate that the author most likely meant, if any is near enough.
///
/// Case and the separators `-`, `_` are ignored; beyond that, about one edit in three characters is
/// allowed.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    search(name, &mut candidates.into_iter().map(|candidate| (candidate, None))).0
}

/// Names that many others are compared with, with their letters.
pub struct Names<'n>(Vec<(&'n str, Letters)>);

impl<'n> Names<'n> {
    /// Indexes the names.
    pub fn of(names: impl IntoIterator<Item = &'n str>) -> Self {
        Self(names.into_iter().map(|name| (name, Letters::of(name))).collect())
    }
}

/// Like [`nearest`], among all names of several lists.
pub fn nearest_of<'n>(
    name: &str,
    lists: impl IntoIterator<Item = &'n Names<'n>>,
) -> Option<&'n str> {
    let names = lists.into_iter().flat_map(|it| &it.0);
    search(name, &mut names.map(|(name, letters)| (*name, Some(letters)))).0
}

/// Like [`nearest`], with the letters of the candidates that are known; also returns the cost.
fn search<'c>(
    name: &str,
    candidates: &mut dyn Iterator<Item = (&'c str, Option<&'c Letters>)>,
) -> (Option<&'c str>, usize) {
    if name.len() > LONGEST {
        return (None, 0);
    }
    let letters = Letters::of(name);
    let limit = (letters.count / 3).max(1);
    // Most names are far from all candidates.
    let folded = LazyCell::new(|| fold_name(name));
    let mut best: Option<(usize, &str)> = None;
    let mut work = 0;
    let mut candidates = candidates.take(MAX_CANDIDATES);
    // Each distance costs at least this: without it, the others are not compared.
    while work + EACH <= MAX_WORK {
        let Some((candidate, known)) = candidates.next() else { break };
        let may_be_near = |limit| match known {
            Some(known) => letters.may_be_within(known, limit),
            None => letters.may_be_within(&Letters::of(candidate), limit),
        };
        let near_enough = best.map_or(limit, |(distance, _)| distance);
        // A folded string of ASCII is at most as long as the string, and shorter by its separators.
        let is_too_short = candidate.len() + near_enough < letters.count;
        if candidate.len() > 2 * LONGEST
            || is_too_short
            || candidate == name
            || !may_be_near(near_enough)
        {
            continue;
        }
        let other = fold_name(candidate);
        let (one, other) = without_common_ends(&folded, &other);
        let cost = one.len() * other.len() + EACH;
        if work + cost > MAX_WORK {
            continue;
        }
        work += cost;
        let distance = strsim::generic_damerau_levenshtein(one, other);
        if distance <= near_enough && distance < candidate.chars().count().max(1) {
            best = best.into_iter().chain([(distance, candidate)]).min();
        }
    }
    (best.map(|(_, candidate)| candidate), work)
}

/// Two strings without their common prefix and suffix, which do not affect their distance.
fn without_common_ends<'s>(one: &'s [char], other: &'s [char]) -> (&'s [char], &'s [char]) {
    let start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (one.split_at(start).1, other.split_at(start).1);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    (one.split_at(one.len() - end).0, other.split_at(other.len() - end).0)
}

/// The number of classes of characters. Lowercase letters of ASCII, digits, `.` and `/` have one each.
const CLASSES: usize = 39;

/// The number of characters of a folded string, in total and of each class of characters.
struct Letters {
    count: usize,
    of_each: [u8; CLASSES],
}

impl Letters {
    fn of(text: &str) -> Self {
        let mut letters = Self { count: 0, of_each: [0; CLASSES] };
        if text.is_ascii() {
            let folded = text.bytes().filter(|byte| !matches!(byte, b'-' | b'_'));
            folded.for_each(|byte| letters.add(byte.to_ascii_lowercase().into()));
        } else {
            folded_chars(text).for_each(|character| letters.add(character.into()));
        }
        letters
    }

    fn add(&mut self, character: u32) {
        self.count += 1;
        if let Some(count) = self.of_each.get_mut(character as usize % CLASSES) {
            *count = count.saturating_add(1);
        }
    }

    /// Whether the distance of two strings can be within the limit. An edit adds, removes or
    /// replaces one character, or swaps two.
    fn may_be_within(&self, other: &Self, limit: usize) -> bool {
        if self.count.abs_diff(other.count) > limit {
            return false;
        }
        let (mut missing, mut added) = (0, 0);
        for (a, b) in self.of_each.iter().zip(&other.of_each) {
            missing += usize::from(a.saturating_sub(*b));
            added += usize::from(b.saturating_sub(*a));
        }
        missing <= limit && added <= limit
    }
}

/// "did you mean `x`?", if a candidate is near enough.
pub fn did_you_mean<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<Message> {
    nearest(name, candidates).map(|candidate| message!("did you mean `{candidate}`?"))
}

fn fold_name(name: &str) -> Vec<char> {
    folded_chars(name).collect()
}

fn folded_chars(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn finds_case_separator_and_letter_typos() {
        let keys = ["image", "imagePullPolicy", "runtimeClassName", "env"];
        assert_eq!(nearest("Image", keys), Some("image"));
        assert_eq!(nearest("runtime_class_name", keys), Some("runtimeClassName"));
        assert_eq!(nearest("imgae", keys), Some("image"));
        let lists = [Names::of(["env"]), Names::of(keys)];
        assert_eq!(nearest_of("imgae", &lists), Some("image"));
    }

    #[test]
    fn a_search_among_many_names_is_cheap() {
        let names =
            |count| (0..count).map(|number| format!("pool-{number:04}")).collect::<Vec<_>>();
        let search = |name, names: &[String]| {
            search(name, &mut names.iter().map(|name| (name.as_str(), None))).1
        };
        assert!(search("lease-0007", &names(1000)) == 0, "no name has its letters");
        assert!(search("pool-0007x", &names(5000)) < 2 * search("pool-0007x", &names(50)));
        // Each is as near as the limit allows, so that none rules out the others.
        let far: Vec<_> = (0..1000).map(|number| format!("abcdef{number:03}")).collect();
        let read = Cell::new(0);
        let counted = far.iter().inspect(|_| read.set(read.get() + 1));
        assert!(nearest("abcdefxyz", counted.map(String::as_str)).is_some());
        assert!(read.get() <= MAX_WORK / EACH, "{read:?}");
        // All names have the same letters in a different order.
        let turned =
            |at: usize| format!("{}{}", &"abcdefgh".repeat(30)[at..], &"abcdefgh".repeat(30)[..at]);
        let anagrams: Vec<_> = (1..200).map(turned).collect();
        assert!(search(&turned(0), &anagrams) <= MAX_WORK);
    }

    #[test]
    fn a_long_name_is_not_compared() {
        let (long, longer) = ("a".repeat(1_000_000), "a".repeat(1_000_001));
        assert_eq!(nearest(&long, [longer.as_str()]), None);
        let (long, longer) = ("a".repeat(300), "a".repeat(301));
        assert_eq!(nearest(&long, [longer.as_str()]), Some(longer.as_str()));
        assert_eq!(nearest(&longer, [long.as_str()]), None);
    }

    #[test]
    fn the_letters_of_two_strings_rule_out_no_near_one() {
        let words =
            ["", "a", "ab", "ba", "abc", "acb", "ACB", "a-b", "äb", "bä", "aabb", "zz", "ab😀"];
        for one in words {
            for other in words {
                let distance =
                    strsim::generic_damerau_levenshtein(&fold_name(one), &fold_name(other));
                assert!(
                    Letters::of(one).may_be_within(&Letters::of(other), distance),
                    "{one} {other}"
                );
                let (a, b) = (fold_name(one), fold_name(other));
                let (a, b) = without_common_ends(&a, &b);
                assert_eq!(strsim::generic_damerau_levenshtein(a, b), distance, "{one} {other}");
            }
        }
    }

    #[test]
    fn suggests_nothing_without_a_similar_name() {
        assert_eq!(nearest("volumes", ["image", "env"]), None);
        assert_eq!(nearest("x", ["y"]), None);
    }
}
