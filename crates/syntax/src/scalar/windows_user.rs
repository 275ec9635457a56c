//! Users of Windows, as a Pod names them.

use crate::message::{Draft, Part, Words};

const LONGEST_DOMAIN: usize = 255;
const LONGEST_USER: usize = 104;
const LONGEST_NET_BIOS: usize = 15;

/// The fault of a user name. In a message it is the predicate of "the user ".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UserFault {
    /// A control character.
    Control,
    /// More than one backslash.
    Backslashes,
    /// A domain that is neither a `NetBIOS` name nor a DNS name, or is too long.
    Domain,
    /// No name after the domain, or an empty string.
    Empty,
    /// A name longer than 104 bytes.
    TooLong,
    /// A name of only dots and spaces.
    Blank,
    /// A character that is not allowed.
    Character,
}

impl Part for UserFault {
    fn add_to(&self, draft: &mut Draft) {
        let words = match self {
            Self::Control => "has a control character",
            Self::Backslashes => "has more than one backslash",
            Self::Domain => "has a domain that is neither a NetBIOS name nor a DNS name",
            Self::Empty => "has no name",
            Self::TooLong => "is longer than 104 bytes",
            Self::Blank => "consists of dots and spaces",
            Self::Character => "has a character that Windows does not allow in user names",
        };
        Words(words).add_to(draft);
    }
}

/// Checks a user, or a domain, `\` and a user.
pub fn check_windows_user(text: &str) -> Result<(), UserFault> {
    if text.chars().any(|it| it.is_ascii_control()) {
        return Err(UserFault::Control);
    }
    let (domain, user) = match text.split_once('\\') {
        Some((_, rest)) if rest.contains('\\') => return Err(UserFault::Backslashes),
        Some((domain, user)) => (Some(domain), user),
        None => (None, text),
    };
    if domain.is_some_and(|domain| {
        domain.len() > LONGEST_DOMAIN || !(is_net_bios(domain) || is_dns(domain))
    }) {
        return Err(UserFault::Domain);
    }
    if user.is_empty() {
        Err(UserFault::Empty)
    } else if user.len() > LONGEST_USER {
        Err(UserFault::TooLong)
    } else if user.chars().all(|character| matches!(character, '.' | ' ')) {
        Err(UserFault::Blank)
    } else if user
        .contains(['"', '/', '\\', ':', ';', '|', '=', ',', '+', '*', '?', '<', '>', '@', '[', ']'])
    {
        Err(UserFault::Character)
    } else {
        Ok(())
    }
}

fn is_net_bios(domain: &str) -> bool {
    !domain.starts_with('.')
        && (1..=LONGEST_NET_BIOS).contains(&domain.chars().count())
        && !domain.contains(['\\', '/', ':', '*', '?', '"', '<', '>', '|'])
        && !domain.contains('\n')
}

fn is_dns(domain: &str) -> bool {
    domain.split('.').all(|label| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_may_have_a_domain() {
        for user in [
            "a",
            "ContainerUser",
            "CORP\\svc",
            "corp.example.com\\svc",
            "a b",
            "NT AUTHORITY\\NETWORK SERVICE",
        ] {
            assert_eq!(check_windows_user(user), Ok(()), "{user}");
        }
        for (user, fault) in [
            ("a\tb", UserFault::Control),
            ("a\\b\\c", UserFault::Backslashes),
            (".corp\\a", UserFault::Domain),
            ("\\a", UserFault::Domain),
            ("corp\\", UserFault::Empty),
            ("..  .", UserFault::Blank),
            ("a@b", UserFault::Character),
        ] {
            assert_eq!(check_windows_user(user), Err(fault), "{user}");
        }
        assert_eq!(check_windows_user(&"a".repeat(105)), Err(UserFault::TooLong));
        assert_eq!(check_windows_user(&"a".repeat(104)), Ok(()));
    }
}
