//! Text that Kubernetes' parser accepts and YAML 1.2 does not: it is read with the characters that YAML
//! 1.2 requires, and reported as a warning.

use std::borrow::Cow;

use super::{Allowance, Document, Ended};
use crate::diag::Sink;
use crate::source::FileSpan;
use crate::yaml::fault::{self, Stop};

/// The maximum number of times that a document is read again.
const MAX_ROUNDS: usize = 20;

/// The size in bytes above which a document is only read once.
const MAX_BYTES: usize = 1 << 20;

/// Characters that are inserted into the author's text for the parser.
#[derive(Clone, Debug, Default)]
pub(super) struct Insertions(Vec<Insertion>);

#[derive(Clone, Debug)]
struct Insertion {
    /// Its offset in the document.
    at: usize,
    /// The number of bytes that are inserted before it.
    before: usize,
    text: String,
}

impl Insertions {
    /// The text with the insertions.
    pub(super) fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(text);
        }
        let (mut written, mut from) = (String::with_capacity(text.len()), 0);
        for Insertion { at, text: inserted, .. } in &self.0 {
            if let Some(piece) = text.get(from..*at) {
                written.push_str(piece);
                written.push_str(inserted);
                from = *at;
            }
        }
        written.push_str(text.get(from..).unwrap_or(""));
        Cow::Owned(written)
    }

    /// The offset in the text that the author wrote.
    pub(super) fn original(&self, offset: usize) -> usize {
        let count = self.0.partition_point(|it| it.at + it.before < offset);
        let last = count.checked_sub(1).and_then(|it| self.0.get(it));
        last.map_or(offset, |it| {
            let start = it.at + it.before;
            offset - it.before - it.text.len().min(offset - start)
        })
    }

    fn add(&mut self, more: Vec<(usize, String)>) {
        self.0.extend(more.into_iter().map(|(at, text)| Insertion { at, before: 0, text }));
        self.0.sort_by(|one, other| (one.at, &one.text).cmp(&(other.at, &other.text)));
        let mut before = 0;
        for it in &mut self.0 {
            it.before = before;
            before += it.text.len();
        }
    }

    fn contains(&self, more: &[(usize, String)]) -> bool {
        let is_known = |(at, text): &(usize, String)| {
            self.0.binary_search_by(|it| (it.at, &it.text).cmp(&(*at, text))).is_ok()
        };
        more.iter().any(is_known)
    }
}

/// Reads the document in the part `slice` of `text`, where the parser stopped at `stop`, if that is
/// known.
pub(super) fn read(
    text: &str,
    slice: FileSpan,
    mut stop: Option<Stop>,
    allowance: &mut Allowance,
    sink: &mut Sink,
) -> Result<Option<Document>, Ended> {
    let mut insertions = Insertions::default();
    let mut warnings = Vec::new();
    loop {
        let mut findings = Sink::new();
        let mut left = allowance.aliases;
        let result = match stop.take() {
            Some(stop) => Err(Ended::Stopped(stop)),
            None => super::read(text, slice, &insertions, &mut left, &mut findings),
        };
        let body = text.get(slice.range()).unwrap_or("");
        let leniency = match &result {
            Err(Ended::Stopped(stop)) if warnings.len() < MAX_ROUNDS && body.len() <= MAX_BYTES => {
                fault::leniency(slice, body, stop)
            }
            _ => None,
        };
        let leniency = leniency
            .filter(|it| !insertions.contains(&it.insertions))
            .filter(|_| allowance.parses_again(body.len()));
        let Some(leniency) = leniency else {
            allowance.aliases = left;
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
        let mut insertions = Insertions::default();
        insertions.add(vec![(4, "\"".to_owned())]);
        insertions.add(vec![(2, "  ".to_owned())]);
        assert_eq!(insertions.apply("abcdef"), "ab  cd\"ef");
        let original: Vec<_> = (0..=9).map(|at| insertions.original(at)).collect();
        assert_eq!(original, [0, 1, 2, 2, 2, 3, 4, 4, 5, 6]);
    }
}
