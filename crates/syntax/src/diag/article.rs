//! `a` or `an`.

/// A noun or the name of a kind with its article: `an Ingress`, `a Service`, `an HTTPRoute`.
pub fn with_article(noun: &str) -> String {
    let mut letters = noun.chars();
    let first = letters.next().unwrap_or_default();
    // Consecutive capitals are spelled out: `HTTPRoute` begins with "aitch".
    let is_spelt = first.is_ascii_uppercase()
        && letters.next().is_some_and(|second| second.is_ascii_uppercase());
    let sounds = if is_spelt { "AEFHILMNORSX" } else { "AEIOaeio" };
    let article = if sounds.contains(first) { "an" } else { "a" };
    format!("{article} {noun}")
}

#[cfg(test)]
mod tests {
    use super::with_article;

    #[test]
    fn the_article_depends_on_the_sound() {
        let an = ["APIService", "Ingress", "HTTPRoute", "NFSShare", "init container", "Event"];
        let a = ["Service", "CSIDriver", "UserQuota", "Node", "UDPRoute", "Sandbox", "container"];
        for noun in an {
            assert_eq!(with_article(noun), format!("an {noun}"));
        }
        for noun in a {
            assert_eq!(with_article(noun), format!("a {noun}"));
        }
    }
}
