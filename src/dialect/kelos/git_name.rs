//! Names of branches and tags, as git checks them.

/// The reason git rejects a branch with this name, worded to follow "the name". `None` if git
/// accepts it.
pub(super) fn git_name_fault(name: &str) -> Option<&'static str> {
    const FORBIDDEN: [char; 8] = [' ', '~', '^', ':', '?', '*', '[', '\\'];
    if name.starts_with('-') {
        return Some("starts with `-`");
    }
    if name.chars().any(|it| it.is_ascii_control()) {
        return Some("contains a control character");
    }
    if name.contains(' ') {
        return Some("contains a space");
    }
    if name.contains(FORBIDDEN) {
        return Some("contains one of `~`, `^`, `:`, `?`, `*`, `[`, `\\`");
    }
    if name.contains("..") || name.contains("@{") {
        return Some("contains `..` or `@{`");
    }
    let is_bad = |part: &str| {
        let extension = part.len().checked_sub(".lock".len()).and_then(|at| part.get(at..));
        part.is_empty() || part.starts_with('.') || extension == Some(".lock")
    };
    if name.split('/').any(is_bad) {
        return Some("has a part that is empty, starts with `.` or ends in `.lock`");
    }
    (name.ends_with('.') || name == "@").then_some("ends in `.`, or is `@`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked_as_git_does() {
        for name in
            ["main", "feat/cart", "v1.2.3", "a@b", "it's-$(id)", "\u{fc}", "a{b}", "refs/heads/x"]
        {
            assert_eq!(git_name_fault(name), None, "{name}");
        }
        for name in [
            "", "-x", "a b", "a..b", "a~1", "HEAD^", "a:b", "a?", "a*", "a[b", "a\\b", "/a", "a/",
            "a//b", ".a", "a/.b", "a.lock", "a.lock/b", "a.", "@", "a@{1}", "a\tb", "a\u{7f}",
        ] {
            assert!(git_name_fault(name).is_some(), "{name}");
        }
    }
}
