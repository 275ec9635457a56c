//! Placeholders in rendered text for positions.
//!
//! The renderer computes line and column from its input, which is only an excerpt. So it gets a
//! marker as the name of the file, and `marker:line:column` is replaced by the true position.

/// A noncharacter: it cannot occur in shown text, where [`visible`](crate::markup::visible)
/// replaces it.
const MARK: char = '\u{fdd0}';

/// The placeholder for the position with this index.
pub(super) fn marker(index: usize) -> String {
    format!("{MARK}{index}{MARK}")
}

/// Replaces each marker in `rendered`, and the `:line:column` after it, with its position.
pub(super) fn fill(rendered: &str, places: &[String]) -> String {
    let mut filled = String::with_capacity(rendered.len());
    let mut parts = rendered.split(MARK);
    filled.push_str(parts.next().unwrap_or(""));
    while let (Some(index), Some(text)) = (parts.next(), parts.next()) {
        if let Ok(Some(place)) = index.parse().map(|index: usize| places.get(index)) {
            filled.push_str(place);
        }
        filled.push_str(text.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_and_its_numbers_become_the_span() {
        let rendered = format!(" --> {}:1:7\n ::: {}:2:9\n", marker(0), marker(1));
        let places = ["a.yaml:90:8000".to_owned(), "b.yaml:2:9".to_owned()];
        assert_eq!(fill(&rendered, &places), " --> a.yaml:90:8000\n ::: b.yaml:2:9\n");
    }
}
