//! "Did you mean": finds the nearest valid name.

/// The candidate that the author most likely meant, if any is near enough.
///
/// Case and the separators `-`, `_` are ignored; beyond that, about one edit in three characters is
/// allowed.
pub(crate) fn nearest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let folded = fold(name);
    let length = folded.chars().count();
    let limit = (length / 3).max(1);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        // The distance of two strings is at least the difference of their lengths.
        .filter(|candidate| folded_chars(candidate).count().abs_diff(length) <= limit)
        .map(|candidate| (strsim::damerau_levenshtein(&folded, &fold(candidate)), candidate))
        .filter(|(distance, candidate)| {
            *distance <= limit && *distance < candidate.chars().count().max(1)
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// "did you mean `x`?", if a candidate is near enough.
pub(crate) fn did_you_mean<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<String> {
    nearest(name, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

fn fold(name: &str) -> String {
    folded_chars(name).collect()
}

fn folded_chars(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_case_separator_and_letter_typos() {
        let keys = ["image", "imagePullPolicy", "runtimeClassName", "env"];
        assert_eq!(nearest("Image", keys), Some("image"));
        assert_eq!(nearest("runtime_class_name", keys), Some("runtimeClassName"));
        assert_eq!(nearest("imgae", keys), Some("image"));
    }

    #[test]
    fn suggests_nothing_without_a_similar_name() {
        assert_eq!(nearest("volumes", ["image", "env"]), None);
        assert_eq!(nearest("x", ["y"]), None);
    }
}
