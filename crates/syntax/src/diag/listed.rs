//! Lists in messages, which end with the number of omitted items.

use super::{Message, message};

/// The maximum number of names or values that a message lists.
pub const MAX_LISTED: usize = 50;

/// The maximum number of names in a headline.
const MAX_IN_HEADLINE: usize = 3;

/// A list of names in a note or help: "`a`, `b` and 3 more".
pub fn listed<'c>(names: impl IntoIterator<Item = &'c str>) -> Message {
    first_of(MAX_LISTED, ", ", names.into_iter().map(name_in_backquotes))
}

/// Like [`listed`], of names whose number is known: only the first ones are read.
pub fn listed_of<'c>(count: usize, names: impl IntoIterator<Item = &'c str>) -> Message {
    let first: Vec<_> = names.into_iter().take(MAX_LISTED).map(name_in_backquotes).collect();
    let rest = count - first.len();
    with_rest(first, ", ", rest)
}

/// A list of names in a headline, which names few of them: "`a`, `b` and 3 more".
pub fn headlined<'c>(names: impl IntoIterator<Item = &'c str>) -> Message {
    first_of(MAX_IN_HEADLINE, ", ", names.into_iter().map(name_in_backquotes))
}

/// The first items with a separator, and the number of the others: "a; b and 3 more".
pub fn first_of(
    most: usize,
    separator: &'static str,
    items: impl IntoIterator<Item = Message>,
) -> Message {
    let mut items = items.into_iter();
    let first: Vec<_> = items.by_ref().take(most).collect();
    let rest = match items.size_hint() {
        (count, Some(most)) if count == most => count,
        _ => items.count(),
    };
    with_rest(first, separator, rest)
}

/// Like [`first_of`], of strings that are not part of a finding.
pub fn first_strings(
    most: usize,
    separator: &'static str,
    items: impl IntoIterator<Item = String>,
) -> String {
    first_of(most, separator, items.into_iter().map(|item| message!("{item}")))
        .as_prose()
        .to_owned()
}

fn with_rest(first: Vec<Message>, separator: &'static str, rest: usize) -> Message {
    let list = Message::joined(first, separator);
    match rest {
        0 => list,
        more => message!("{list} and {more} more"),
    }
}

fn name_in_backquotes(name: &str) -> Message {
    message!("`{name}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_headline_names_three() {
        assert_eq!(headlined(["a", "b", "c"]), "`a`, `b`, `c`");
        assert_eq!(headlined(["a", "b", "c", "d", "e"]), "`a`, `b`, `c` and 2 more");
    }

    #[test]
    fn a_list_names_fifty() {
        assert_eq!(listed(["a", "b"]), "`a`, `b`");
        let names: Vec<_> = (0..52).map(|number| format!("n{number}")).collect();
        let list = |count| listed(names.iter().take(count).map(String::as_str));
        assert!(list(50).as_prose().ends_with("`n48`, `n49`"));
        assert!(list(52).as_prose().ends_with("`n48`, `n49` and 2 more"));
        // Each of thousands of findings can list the names of a large map.
        let mut read = 0;
        let text = listed(names.iter().map(|name| {
            read += 1;
            name.as_str()
        }));
        assert_eq!((text, read), (list(52), 50));
    }
}
