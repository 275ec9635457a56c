//! Faults of label keys and values, with the messages of `k8s.io/apimachinery`, which conditions
//! contain.

/// The pattern in messages, which is equivalent to `is_name`.
const NAME: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const NAME_FAULT: &str = "consist of alphanumeric characters, '-', '_' or '.', and must start and \
    end with an alphanumeric character";
const NAME_LIMIT: usize = 63;
/// The pattern in messages, which is equivalent to `is_domain`.
const DOMAIN: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const DOMAIN_FAULT: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric \
    characters, '-' or '.', and must start and end with an alphanumeric character";
const DOMAIN_LIMIT: usize = 253;
const EMPTY: &str = "must be non-empty";

/// The faults of the key of a label or an annotation.
pub(super) fn key_faults(key: &str) -> String {
    let mut faults = Vec::new();
    let parts: Vec<_> = key.split('/').collect();
    let name = match parts.as_slice() {
        [name] => *name,
        ["", name] => {
            faults.push(format!("prefix part {EMPTY}"));
            *name
        }
        [prefix, name] => {
            faults.extend(domain_faults(prefix).iter().map(|fault| format!("prefix part {fault}")));
            *name
        }
        _ => {
            let fault = name_fault("a valid label key must ");
            return format!(
                "{fault} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            );
        }
    };
    if name.is_empty() {
        faults.push(format!("name part {EMPTY}"));
    } else if name.len() > NAME_LIMIT {
        faults.push(format!("name part {}", length_fault(NAME_LIMIT)));
    }
    if !is_name(name) {
        faults.push(name_fault("name part must "));
    }
    faults.join("; ")
}

/// The faults of the value of a label.
pub(super) fn value_faults(value: &str) -> String {
    let mut faults = Vec::new();
    if value.len() > NAME_LIMIT {
        faults.push(length_fault(NAME_LIMIT));
    }
    if !value.is_empty() && !is_name(value) {
        let fault = format!("a valid label must be an empty string or {NAME_FAULT}");
        faults.push(pattern_fault(
            &fault,
            &format!("({NAME})?"),
            &["MyValue", "my_value", "12345"],
        ));
    }
    faults.join("; ")
}

fn domain_faults(domain: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if domain.len() > DOMAIN_LIMIT {
        faults.push(length_fault(DOMAIN_LIMIT));
    }
    if !is_domain(domain) {
        faults.push(pattern_fault(DOMAIN_FAULT, DOMAIN, &["example.com"]));
    }
    faults
}

fn length_fault(limit: usize) -> String {
    format!("must be no more than {limit} bytes")
}

fn name_fault(start: &str) -> String {
    pattern_fault(&format!("{start}{NAME_FAULT}"), NAME, &["MyName", "my.name", "123-abc"])
}

fn pattern_fault(fault: &str, pattern: &str, examples: &[&str]) -> String {
    let examples: Vec<_> = examples.iter().map(|example| format!("'{example}', ")).collect();
    format!("{fault} (e.g. {}regex used for validation is '{pattern}')", examples.join(" or "))
}

fn is_name(text: &str) -> bool {
    let is_end = |it: Option<char>| it.is_some_and(|it| it.is_ascii_alphanumeric());
    let is_inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    is_end(text.chars().next()) && is_end(text.chars().next_back()) && text.chars().all(is_inner)
}

fn is_domain(text: &str) -> bool {
    let is_letter = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    text.split('.').all(|label| {
        let is_end = |it: Option<char>| it.is_some_and(is_letter);
        is_end(label.chars().next())
            && is_end(label.chars().next_back())
            && label.chars().all(|character| is_letter(character) || character == '-')
    })
}

#[cfg(test)]
mod tests {
    use super::{key_faults, value_faults};

    /// The messages of `IsQualifiedName` and `IsValidLabelValue` of k8s.io/apimachinery v0.36.3.
    #[test]
    fn faults_are_worded_as_in_apimachinery() {
        let name = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end \
            with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used \
            for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
        assert_eq!(key_faults("a b"), format!("name part {name}"));
        assert_eq!(
            key_faults("example.com/"),
            format!("name part must be non-empty; name part {name}")
        );
        assert_eq!(key_faults("/a"), "prefix part must be non-empty");
        assert_eq!(key_faults(&"a".repeat(64)), "name part must be no more than 63 bytes");
        let domain = "prefix part a lowercase RFC 1123 subdomain must consist of lower case \
            alphanumeric characters, '-' or '.', and must start and end with an alphanumeric \
            character (e.g. 'example.com', regex used for validation is \
            '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
        assert_eq!(key_faults("Example.com/a"), domain);
        assert_eq!(
            key_faults("a/b/c"),
            format!(
                "a valid label key {name} with an optional DNS subdomain prefix and '/' (e.g. \
                'example.com/MyName')"
            )
        );
        let value = "a valid label must be an empty string or consist of alphanumeric characters, \
            '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  \
            or 'my_value',  or '12345', regex used for validation is \
            '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
        assert_eq!(value_faults("-"), value);
        assert_eq!(
            value_faults(&"-".repeat(64)),
            format!("must be no more than 63 bytes; {value}")
        );
        assert_eq!(value_faults(""), "");
    }
}
