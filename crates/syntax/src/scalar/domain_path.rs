//! Names with a domain as prefix: `example.com/controller` (apimachinery, `IsDomainPrefixedPath`).

use super::dns::check_dns_subdomain;
use super::fault::Fault;

const ALLOWED: &str = "letters, digits and `/-._~%!$&'()*+,;=:`";

/// Checks a DNS subdomain, `/`, and a URL path.
pub fn check_domain_path(text: &str) -> Result<(), Fault> {
    if text.is_empty() {
        return Err(Fault::Empty);
    }
    let (domain, path) = text.split_once('/').unwrap_or(("", text));
    if domain.is_empty() {
        return Err(Fault::PrefixEmpty);
    }
    if path.is_empty() {
        return Err(Fault::NameEmpty);
    }
    check_dns_subdomain(domain)?;
    let is_allowed = |character: char| {
        character.is_ascii_alphanumeric() || "/-._~%!$&'()*+,;=:".contains(character)
    };
    match path.chars().find(|character| !is_allowed(*character)) {
        Some(character) => Err(Fault::Character { character, allowed: ALLOWED }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_prefix_is_required() {
        for text in ["a/b", "acme.io/foo", "acme.io/foo/bar", "a/%41:~"] {
            assert_eq!(check_domain_path(text), Ok(()), "{text}");
        }
        for text in ["", "foo", "/foo", "acme.io/", "Acme.io/foo", "acme..io/foo", "a/b c", "a/é"]
        {
            assert!(check_domain_path(text).is_err(), "{text}");
        }
    }
}
