//! What a name says about the value that it belongs to. Documents repeat their names, so that each is judged once for
//! a thread.

use std::cell::RefCell;

use super::signs::{
    ends_as_credential, is_field_or_kind, is_near_credential, is_near_data, is_near_literals,
    is_near_secret, is_near_string_data, is_sign, is_within_an_edit,
};
use super::veil::is_plain;

thread_local! {
    static NAMES: RefCell<Memo<Signs>> = RefCell::default();
    static WORDS: RefCell<Memo<bool>> = RefCell::default();
}

/// Whether a word of a text is a sign of a secret.
pub(super) fn is_known_sign(word: &str) -> bool {
    WORDS.with_borrow_mut(|memo| memo.of(word, is_sign))
}

/// What a name can be, each perhaps with a typo.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign {
    /// `Secret`.
    Secret = 1,
    /// `data` or `stringData`.
    Data = 1 << 1,
    /// `stringData`.
    StringData = 1 << 2,
    /// kustomize's `literals`.
    Literals = 1 << 3,
    /// The name of a credential.
    Credential = 1 << 4,
    /// A field whose string is a credential.
    EndsAsCredential = 1 << 5,
    /// `kind`.
    Kind = 1 << 6,
    /// A field or a kind of Kubernetes, without typos.
    FieldOrKind = 1 << 7,
    /// One word.
    Plain = 1 << 8,
}

/// All that a name is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Signs(u16);

impl Signs {
    /// Those of a name.
    pub(super) fn of(name: &str) -> Self {
        NAMES.with_borrow_mut(|memo| memo.of(name, Self::judge))
    }

    /// Whether the name is this.
    pub(super) const fn has(self, sign: Sign) -> bool {
        self.0 & sign as u16 != 0
    }

    fn judge(name: &str) -> Self {
        let all = [
            (Sign::Secret, is_near_secret(name)),
            (Sign::Data, is_near_data(name)),
            (Sign::StringData, is_near_string_data(name)),
            (Sign::Literals, is_near_literals(name)),
            (Sign::Credential, is_near_credential(name)),
            (Sign::EndsAsCredential, ends_as_credential(name)),
            (Sign::Kind, is_within_an_edit(name, "kind")),
            (Sign::FieldOrKind, is_field_or_kind(name)),
            (Sign::Plain, is_plain(name)),
        ];
        let is_it = all.into_iter().filter_map(|(sign, is_it)| is_it.then_some(sign as u16));
        Self(is_it.fold(0, |all, sign| all | sign))
    }
}

/// What was found about words. Those with the same hash evict each other.
struct Memo<T>(Vec<(String, T)>);

impl<T: Clone + Default> Default for Memo<T> {
    fn default() -> Self {
        Self(vec![Default::default(); SLOTS])
    }
}

impl<T: Copy> Memo<T> {
    fn of(&mut self, word: &str, judge: impl FnOnce(&str) -> T) -> T {
        let slot = self.0.get_mut(slot(word)).filter(|_| (1..=LONGEST).contains(&word.len()));
        let Some((known, found)) = slot else { return judge(word) };
        if known != word {
            known.clear();
            known.push_str(word);
            *found = judge(word);
        }
        *found
    }
}

/// The number of words that are remembered.
const SLOTS: usize = 1024;

/// The length in bytes of the longest word that is remembered; that of Kubernetes' longest field is 43.
const LONGEST: usize = 64;

/// A fast hash: most words differ in their length, or in their first or last four bytes.
fn slot(word: &str) -> usize {
    let bytes = word.as_bytes();
    let ends = match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => bytes.iter().fold(0, |ends, byte| ends << 8 | u64::from(*byte)),
    };
    let mixed = (ends + bytes.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // Only the highest bits depend on all bytes.
    usize::try_from(mixed >> 54).unwrap_or(0) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_judged_alike_when_it_is_known_and_when_another_one_had_its_place() {
        // More than one name for each place.
        let names: Vec<_> = (0..3 * SLOTS).map(|number| format!("token{number}")).collect();
        let others = ["Secret", "data", "stringDta", "literals", "kind", "DB_PASSWD", "spec", ""];
        let long = "x".repeat(LONGEST) + "_token";
        let all = || names.iter().map(String::as_str).chain(others).chain([&*long]);
        for name in all().chain(all()) {
            assert_eq!(Signs::of(name), Signs::judge(name), "{name}");
        }
        assert!(Signs::of("stringDta").has(Sign::StringData) && !Signs::of("spec").has(Sign::Data));
        assert!(Signs::of(&long).has(Sign::Credential));
    }
}
