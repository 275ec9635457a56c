//! `Hidden`: names in documents that are not objects because of a fault.

use std::sync::LazyLock;

use regex::Regex;

use crate::sorted::SortedSet;

static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("[a-zA-Z0-9.-]+").ok());

/// The words of documents that are not objects because of a fault: invalid YAML, an unknown kind, a
/// failing expression. Any word may be the name of an object in such a document, so it is not
/// reported as missing: usually a missing name only follows from the reported fault.
#[derive(Clone, Debug, Default)]
pub struct Hidden<'t> {
    words: SortedSet<&'t str>,
}

impl<'t> Hidden<'t> {
    /// Adds the source of a document.
    pub fn add(&mut self, text: &'t str) {
        let found = WORD.iter().flat_map(|it| it.find_iter(text));
        let words = found.map(|word| word.as_str().trim_matches(['-', '.']));
        self.words.extend(words.filter(|word| !word.is_empty()));
    }

    /// Whether there is no such document.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether one of the documents may define this name.
    pub fn may_define(&self, name: &str) -> bool {
        self.words.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_notation() {
        let mut hidden = Hidden::default();
        hidden.add("- metadata: {name: \"my-pool\"}\n- metadata:\n    name: python-3.13\n---\n");
        for name in ["my-pool", "python-3.13"] {
            assert!(hidden.may_define(name), "{name}");
        }
        for name in ["my", "pool", "python", "3.13", ""] {
            assert!(!hidden.may_define(name), "{name}");
        }
    }
}
