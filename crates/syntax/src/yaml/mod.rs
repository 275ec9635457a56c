//! Reading and printing of YAML: splitting a stream, parsing with spans, reading scalars as
//! Kubernetes does, and printing output that every reader reads the same.

mod boundary;
mod boundary_rules;
mod comments;
mod documents;
mod encoding;
mod fast;
mod fault;
mod go;
#[cfg(test)]
mod hostile;
mod layout;
mod mark;
#[cfg(test)]
mod mutations;
mod near;
mod part;
mod print;
mod python;
mod read;
mod readers;
#[cfg(test)]
mod recorded;
pub mod scalar;
mod split;
mod torn;

pub use comments::{Beside, Comment, all_comments, comments};
pub use documents::{Budget, Documents, ParsedFile, documents, documents_within, without_objects};
pub use encoding::check_file;
#[doc(hidden)]
pub use fast::compare_all as compare_readers;
pub use fault::{RESERVED_CHARACTER, TEMPLATE_NOT_QUOTED};
pub use layout::{NoLayout, layout};
#[cfg(test)]
pub(crate) use mutations::fixture_texts;
pub use near::documents_near;
pub use part::{Part, PartContent, Parts, document_spans, split};
pub use print::{Remark, key, print_comment, print_commented, print_document, print_remarked};
pub use python::read_as_python;
#[doc(hidden)]
pub use read::is_well_formed;
#[cfg(any(test, fuzzing))]
pub(crate) use read::parse;
use read::read_apart;
pub use read::{ALIASES, Document, KEY_NOT_TEXT};
#[cfg(test)]
pub(crate) use split::{Content, DocumentSlice};

use crate::diag::Rule;

/// Whether Kubernetes makes another key of a plain scalar, or rejects it.
pub fn is_changed_key(written: &str) -> bool {
    let is_plain = !written.is_empty() && !written.starts_with(['"', '\'', '!', '&', '*', '?']);
    is_plain && scalar::key(written).is_none_or(|key| key != written)
}

/// Whether a rule is about a text that Kubernetes accepts, but probably reads otherwise than its author.
pub fn explains_misreading(rule: &Rule) -> bool {
    let rules = [
        &read::INVISIBLE_SPACE,
        &read::COLON_BEFORE_BRACKET,
        &fault::MISSING_SPACE_AFTER_COLON,
        &fault::MISSING_SPACE_AFTER_DASH,
    ];
    rules.into_iter().any(|explaining| explaining == rule)
}

/// The rules of this module.
pub static RULES: &[&[&Rule]] = &[
    boundary_rules::RULES,
    documents::RULES,
    encoding::RULES,
    fault::BRACKET_RULES,
    fault::COLON_RULES,
    fault::INDICATOR_RULES,
    fault::LAYOUT_RULES,
    fault::PASTED_RULES,
    fault::QUOTE_RULES,
    fault::RULES,
    fault::TAB_RULES,
    read::ANCHOR_RULES,
    read::KEY_RULES,
    read::MERGE_KEY_RULES,
    read::STRUCTURE_RULES,
    read::TAG_RULES,
    scalar::RULES,
];
