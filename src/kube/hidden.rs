//! `Hidden`: names in documents that are there and could not be made objects.

use std::collections::BTreeSet;

/// The words of documents with a fault that keeps them from becoming objects: broken YAML, an unknown
/// kind, an expression that fails. Any of them may be the name of what such a document would define.
/// That a name is missing is not said of them: most often it only follows from the fault that is
/// reported already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hidden<'t> {
    words: BTreeSet<&'t str>,
}

impl<'t> Hidden<'t> {
    /// Adds the text of a document.
    pub(crate) fn add(&mut self, text: &'t str) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        let words = text.split(|c| !is_part(c)).map(|it| it.trim_matches(['-', '.']));
        self.words.extend(words.filter(|it| !it.is_empty()));
    }

    /// Whether there is no such document.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether one of the documents may define this name.
    pub(crate) fn may_define(&self, name: &str) -> bool {
        self.words.contains(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
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
