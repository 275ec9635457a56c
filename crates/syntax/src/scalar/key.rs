//! Names of environment variables and HTTP headers, and keys of ConfigMaps and Secrets (apimachinery,
//! `util/validation`).

use super::fault::{Fault, Form};

const KEY: Form = Form {
    limit: 253,
    inner: |character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | '.'),
    inner_allowed: "letters, digits, `-`, `_` and `.`",
    start: |_| true,
    start_allowed: "",
    end: |_| true,
    end_allowed: "",
};

/// Checks the name of an environment variable: printable ASCII without `=`, as API servers since
/// Kubernetes 1.32 accept it (`RelaxedEnvironmentVariableValidation`).
pub fn check_env_name(name: &str) -> Result<(), Fault> {
    if name.is_empty() {
        return Err(Fault::Empty);
    }
    match name.chars().find(|character| !matches!(character, ' '..='~') || *character == '=') {
        Some(character) => Err(Fault::Character {
            character,
            allowed: "printable ASCII characters other than `=`",
        }),
        None => Ok(()),
    }
}

/// Checks a key of a ConfigMap or a Secret, which can become a file name.
pub fn check_config_map_key(key: &str) -> Result<(), Fault> {
    if key.is_empty() {
        return Err(Fault::Empty);
    }
    KEY.check(key)?;
    if key == "." || key.starts_with("..") {
        return Err(Fault::Start {
            character: '.',
            allowed: "names other than `.` and without `..` at the start",
        });
    }
    Ok(())
}

/// Checks the name of an HTTP header.
pub fn check_header_name(name: &str) -> Result<(), Fault> {
    if name.is_empty() {
        return Err(Fault::Empty);
    }
    match name.chars().find(|character| !(character.is_ascii_alphanumeric() || *character == '-')) {
        Some(character) => Err(Fault::Character { character, allowed: "letters, digits and `-`" }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_has_printable_characters() {
        for name in ["A", "a b", "1", "..", "a:b", "~", "-", "a.b-c"] {
            assert_eq!(check_env_name(name), Ok(()), "{name}");
        }
        for name in ["", "A=B", "é", "a\tb", "\u{7f}"] {
            assert!(check_env_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_header_has_letters_digits_and_dashes() {
        assert_eq!(check_header_name("X-Probe-1"), Ok(()));
        for name in ["", "X Probe", "X_Probe", "X:"] {
            assert!(check_header_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_key_can_be_a_file_name() {
        for key in ["a", "A_b.c-d", ".env", "1", "_", "-", ".a.."] {
            assert_eq!(check_config_map_key(key), Ok(()), "{key}");
        }
        for key in ["", ".", "..", "..a", "a b", "a/b", "é"] {
            assert!(check_config_map_key(key).is_err(), "{key}");
        }
        assert_eq!(check_config_map_key(&"a".repeat(253)), Ok(()));
        assert!(check_config_map_key(&"a".repeat(254)).is_err());
    }
}
