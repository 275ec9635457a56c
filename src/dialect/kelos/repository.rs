//! Repository addresses, as kelos parses them.

use crate::scalar::Url;

/// The parts of a repository address that kelos uses.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Repository<'a> {
    /// The host with its port; empty if kelos finds none.
    host: &'a str,
    /// Empty if the address has only a name.
    owner: &'a str,
    name: &'a str,
}

impl<'a> Repository<'a> {
    /// Parses an address: `https://host/owner/name.git`, `git@host:owner/name`, or any path.
    ///
    /// A dot ends the name in the first two forms, and `git://` has no host: kelos searches for the
    /// pattern anywhere in the address.
    pub(super) fn parse(address: &'a str) -> Self {
        let address = address.strip_suffix(".git").unwrap_or(address);
        parse_web(address).or_else(|| parse_ssh(address)).unwrap_or_else(|| parse_path(address))
    }

    /// The host, unless it is github.com or empty.
    pub(super) fn enterprise_host(&self) -> Option<&'a str> {
        Some(self.host).filter(|host| !host.is_empty() && *host != "github.com")
    }

    /// `owner/name`, if the address has both.
    pub(super) fn slug(&self) -> Option<String> {
        let has_both = !self.owner.is_empty() && !self.name.is_empty();
        has_both.then(|| format!("{}/{}", self.owner, self.name))
    }
}

fn parse_web(address: &str) -> Option<Repository<'_>> {
    let mut after = address.match_indices("://").filter_map(|(at, separator)| {
        let (scheme, rest) = address.split_at_checked(at)?;
        let is_web = scheme.ends_with("http") || scheme.ends_with("https");
        rest.strip_prefix(separator).filter(|_| is_web)
    });
    let (found, owner, name) = after.find_map(|rest| split_segments(rest, '/'))?;
    let parsed = Url::parse(address).map(|url| url.host).filter(|host| !host.is_empty());
    Some(Repository { host: parsed.unwrap_or(found), owner, name })
}

fn parse_ssh(address: &str) -> Option<Repository<'_>> {
    let mut starts = address.match_indices("git@").map(|(at, user)| at + user.len());
    let (host, owner, name) =
        starts.find_map(|start| split_segments(address.get(start..)?, ':'))?;
    Some(Repository { host, owner, name })
}

/// `host`, the separator, `owner`, a slash, and a name without dots and slashes; none is empty.
fn split_segments(text: &str, separator: char) -> Option<(&str, &str, &str)> {
    let (host, path) = text.split_once(separator)?;
    let (owner, rest) = path.split_once('/')?;
    let name = rest.split(['/', '.']).next()?;
    let is_whole = !host.is_empty() && !owner.is_empty() && !name.is_empty();
    is_whole.then_some((host, owner, name))
}

/// The last two segments.
fn parse_path(address: &str) -> Repository<'_> {
    let trimmed = address.strip_suffix('/').unwrap_or(address);
    let (parents, name) = trimmed.rsplit_once('/').unwrap_or(("", trimmed));
    let owner = parents.rsplit_once('/').map_or(parents, |(_, owner)| owner);
    Repository { host: "", owner, name }
}

/// Whether a `ref` is a full commit ID. A SHA-256 ID has 64 digits, and kelos treats it as the name
/// of a branch.
pub(super) fn is_commit(reference: &str) -> bool {
    reference.len() == 40 && reference.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(address: &str) -> (&str, &str, &str) {
        let Repository { host, owner, name } = Repository::parse(address);
        (host, owner, name)
    }

    #[test]
    fn addresses_are_parsed_as_kelos_does() {
        for (address, host, owner, name) in [
            ("https://github.com/acme/shop.git", "github.com", "acme", "shop"),
            ("https://me@ghe.acme.dev:8443/me/fork", "ghe.acme.dev:8443", "me", "fork"),
            ("https://github.com/acme/my.repo", "github.com", "acme", "my"),
            ("https://github.com/acme/shop/tree/main", "github.com", "acme", "shop"),
            ("git@ghe.acme.dev:me/fork.git", "ghe.acme.dev", "me", "fork"),
            ("git://ghe.acme.dev/me/fork.git", "", "me", "fork"),
            ("owner/name", "", "owner", "name"),
        ] {
            assert_eq!(parse(address), (host, owner, name), "{address}");
        }
    }

    #[test]
    fn only_another_host_is_github_enterprise() {
        let host = |address| Repository::parse(address).enterprise_host();
        assert_eq!(host("https://github.com/a/b"), None);
        assert_eq!(host("git://gitlab.com/a/b"), None);
        assert_eq!(host("https://gitlab.com/a/b"), Some("gitlab.com"));
    }

    #[test]
    fn a_commit_has_forty_digits() {
        assert!(is_commit("0123456789abcdef0123456789ABCDEF01234567"));
        assert!(!is_commit("main"));
        assert!(!is_commit(&"a".repeat(64)));
        assert!(!is_commit(&"g".repeat(40)));
    }
}
