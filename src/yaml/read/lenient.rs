//! Text that Kubernetes' parser accepts and YAML 1.2 does not: it is read with the characters that YAML
//! 1.2 requires, and reported as a warning.

use std::borrow::Cow;

use super::{Document, Ended};
use crate::diag::Sink;
use crate::source::FileSpan;
use crate::yaml::fault;

/// The maximum number of times that a document is read again.
const MAX_ROUNDS: usize = 20;

/// The size in bytes above which a document is only read once.
const MAX_BYTES: usize = 1 << 20;

/// Characters that are inserted into the author's text for the parser, by offset in the document.
#[derive(Clone, Debug, Default)]
pub(super) struct Insertions(Vec<(usize, String)>);

impl Insertions {
    /// The text with the insertions.
    pub(super) fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut written = text.to_owned();
        for (at, inserted) in self.0.iter().rev() {
            if written.is_char_boundary(*at) {
                written.insert_str(*at, inserted);
            }
        }
        Cow::Owned(written)
    }

    /// The offset in the text that the author wrote.
    pub(super) fn original(&self, offset: usize) -> usize {
        let mut inserted = 0;
        for (at, text) in &self.0 {
            let start = at + inserted;
            if offset <= start {
                break;
            }
            inserted += text.len().min(offset - start);
        }
        offset - inserted
    }

    fn add(&mut self, more: Vec<(usize, String)>) {
        self.0.extend(more);
        self.0.sort();
    }

    fn contains(&self, more: &[(usize, String)]) -> bool {
        more.iter().any(|it| self.0.contains(it))
    }
}

/// Reads the document in the part `slice` of `text`.
pub(super) fn read(
    text: &str,
    slice: FileSpan,
    aliases: &mut usize,
    sink: &mut Sink,
) -> Result<Option<Document>, Ended> {
    let mut insertions = Insertions::default();
    let mut warnings = Vec::new();
    loop {
        let mut findings = Sink::new();
        let mut left = *aliases;
        let result = super::read(text, slice, &insertions, &mut left, &mut findings);
        let body = text.get(slice.range()).unwrap_or("");
        let leniency = match &result {
            Err(Ended::Stopped(stop)) if warnings.len() < MAX_ROUNDS && body.len() <= MAX_BYTES => {
                fault::leniency(slice, body, stop)
            }
            _ => None,
        };
        let Some(leniency) = leniency.filter(|it| !insertions.contains(&it.insertions)) else {
            *aliases = left;
            for warning in warnings {
                sink.report(warning);
            }
            sink.absorb(findings);
            return result;
        };
        insertions.add(leniency.insertions);
        warnings.push(leniency.warning);
    }
}

#[cfg(test)]
mod tests {
    use super::Insertions;

    #[test]
    fn offsets_refer_to_the_source() {
        let insertions = Insertions(vec![(2, "  ".to_owned()), (4, "\"".to_owned())]);
        assert_eq!(insertions.apply("abcdef"), "ab  cd\"ef");
        let original: Vec<_> = (0..=9).map(|at| insertions.original(at)).collect();
        assert_eq!(original, [0, 1, 2, 2, 2, 3, 4, 4, 5, 6]);
    }
}
