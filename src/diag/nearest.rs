//! "Did you mean": the nearest of the names that would have been right.

/// The longest name, in characters, that is compared. The comparison takes the product of both
/// lengths, and no name of Kubernetes is longer.
const LONGEST: usize = 253;

/// The candidate that the author most likely meant, if any is near enough.
///
/// Case and the separators `-`, `_` are free; beyond that about one edit in three characters.
pub(crate) fn nearest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let folded = fold(name);
    let length = folded.chars().count();
    if length > LONGEST {
        return None;
    }
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (fold(candidate), candidate))
        // The lengths differ by no more than the edits, so this loses nothing.
        .filter(|(folded, _)| folded.chars().count().abs_diff(length) <= limit)
        .map(|(candidate_folded, candidate)| {
            (strsim::damerau_levenshtein(&folded, &candidate_folded), candidate)
        })
        .filter(|(distance, candidate)| {
            *distance <= limit && *distance < candidate.chars().count().max(1)
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// "did you mean `x`?", where there is a near candidate.
pub(crate) fn did_you_mean<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<String> {
    nearest(name, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_case_separator_and_letter_slips() {
        let keys = ["image", "imagePullPolicy", "runtimeClassName", "env"];
        assert_eq!(nearest("Image", keys), Some("image"));
        assert_eq!(nearest("runtime_class_name", keys), Some("runtimeClassName"));
        assert_eq!(nearest("imgae", keys), Some("image"));
    }

    #[test]
    fn stays_silent_when_nothing_is_near() {
        assert_eq!(nearest("volumes", ["image", "env"]), None);
        assert_eq!(nearest("x", ["y"]), None);
    }

    #[test]
    fn does_not_compare_what_is_too_long_for_a_name() {
        let (name, near) = ("a".repeat(LONGEST), "a".repeat(LONGEST - 1));
        assert_eq!(nearest(&name, [near.as_str()]), Some(near.as_str()));
        // A million characters against a million would take hours.
        let (name, near) = ("a".repeat(1_000_000), "a".repeat(999_999));
        assert_eq!(nearest(&name, [near.as_str()]), None);
        assert_eq!(nearest("a", [near.as_str()]), None);
    }
}
