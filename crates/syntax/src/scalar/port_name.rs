//! Port names, after the service names of RFC 6335.

use super::fault::{Fault, Form};

const PORT_NAME: Form = Form {
    limit: 15,
    inner: |character| {
        character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-'
    },
    inner_allowed: "lowercase letters, digits and `-`",
    start: |character| character != '-',
    start_allowed: "a letter or digit",
    end: |character| character != '-',
    end_allowed: "a letter or digit",
};

/// Checks the name of a container port: at most 15 characters, one of them a letter, and no two
/// dashes in a row.
pub fn check_port_name(name: &str) -> Result<(), Fault> {
    if name.is_empty() {
        return Err(Fault::Empty);
    }
    PORT_NAME.check(name)?;
    if name.contains("--") {
        return Err(Fault::DoubleDash);
    }
    if !name.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return Err(Fault::NoLetter);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_names_are_service_names() {
        for name in ["http", "p-80", "8080a", "a", "abcdefghijklmno"] {
            assert_eq!(check_port_name(name), Ok(()), "{name}");
        }
        for name in ["", "80", "HTTP", "a--b", "-a", "a-", "abcdefghijklmnop", "a.b", "a_b"] {
            assert!(check_port_name(name).is_err(), "{name}");
        }
    }
}
