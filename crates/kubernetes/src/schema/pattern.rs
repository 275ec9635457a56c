//! `Pattern`: a regular expression of the input, interpreted as Go does.

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};

/// The maximum size of a compiled expression, in bytes.
const SIZE_LIMIT: usize = 1 << 20;
/// The sizes that are tried, smaller ones first.
const SIZES: [usize; 4] = [SMALL, 1 << 15, SMALL_SIZE_LIMIT, SIZE_LIMIT];
/// The size of a small expression, with which the search in any text is cheap.
const SMALL: usize = 1 << 13;
/// The size with which the search in a byte can take as long as a step. Usually it takes much
/// less, but for some strings it visits all states for each byte.
const OF_STEP: usize = 1 << 9;
/// The steps of the compilation of a small expression.
const OF_COMPILATION: usize = 4_000;
/// The maximum size of one that values of the input make, of which there can be many.
const SMALL_SIZE_LIMIT: usize = 1 << 17;

/// A regular expression as the API server interprets it (Go's RE2; it can match anywhere in the
/// string).
#[derive(Debug)]
pub struct Pattern {
    /// As written in the definition.
    pub text: String,
    /// Compiled for the first value, as most are never used.
    compiled: OnceLock<Option<Compiled>>,
    /// Whether the compiled form is kept.
    is_kept: bool,
    /// The maximum size of the compiled form.
    most: usize,
}

/// A compiled expression.
#[derive(Debug)]
pub struct Compiled {
    /// The expression.
    pub regex: Regex,
    /// The limit on its size, in bytes.
    size: usize,
}

impl Compiled {
    /// The steps of its compilation.
    pub const fn made(&self) -> usize {
        OF_COMPILATION + self.size / 4
    }

    /// The steps of a search in a text of this length. A small expression takes few.
    pub const fn steps(&self, length: usize) -> usize {
        let of_byte = if self.size > SMALL { self.size / OF_STEP } else { 1 };
        length.saturating_mul(of_byte)
    }
}

impl Pattern {
    /// The pattern `text`.
    pub fn new(text: &str) -> Self {
        Self { text: text.to_owned(), compiled: OnceLock::new(), is_kept: true, most: SIZE_LIMIT }
    }

    /// As [`new`](Self::new), for one of very many: it is compiled again for each value, so that all of them
    /// together do not fill the memory.
    pub fn of_many(text: &str) -> Self {
        Self { is_kept: false, ..Self::new(text) }
    }

    /// As [`new`](Self::new), with a lower limit on its compiled size.
    pub fn small(text: &str) -> Self {
        Self { most: SMALL_SIZE_LIMIT, ..Self::new(text) }
    }

    /// The compiled form, if there is one.
    pub fn compiled(&self) -> Option<&Compiled> {
        self.compiled.get_or_init(|| compile(&self.text, self.most)).as_ref()
    }

    /// Whether the expression matches in `value`. True if the expression uses features that only Go
    /// has (`\Q...\E`) or is too large to compile, because then nothing is known.
    pub fn accepts(&self, value: &str) -> bool {
        if self.is_kept {
            self.compiled().is_none_or(|compiled| compiled.regex.is_match(value))
        } else {
            compile(&self.text, self.most).is_none_or(|compiled| compiled.regex.is_match(value))
        }
    }

    /// The steps of [`accepts`](Self::accepts) for a text of this length.
    pub fn steps(&self, length: usize) -> usize {
        if self.is_kept {
            self.compiled().map_or(0, |it| it.steps(length))
        } else {
            OF_COMPILATION.saturating_add(self.text.len()).saturating_add(length)
        }
    }

    /// Whether values are checked.
    #[cfg(test)]
    pub fn is_checked(&self) -> bool {
        self.compiled().is_some()
    }
}

fn compile(text: &str, most: usize) -> Option<Compiled> {
    let expression = translate(text)?;
    // The compiled form is larger than the text.
    for size in SIZES.into_iter().filter(|size| *size > expression.len() && *size <= most) {
        match RegexBuilder::new(&expression).size_limit(size).dfa_size_limit(SIZE_LIMIT).build() {
            Ok(regex) => return Some(Compiled { regex, size }),
            Err(regex::Error::CompiledTooBig(_)) => {}
            Err(_) => return None,
        }
    }
    None
}

/// Translates Go's syntax to that of the `regex` crate. `\d`, `\w`, `\s` and `\b` mean ASCII in Go;
/// inside a class, `[`, `&` and `~` are literal. `None` for two hyphens in a class, which are a
/// range in Go and a difference here.
fn translate(text: &str) -> Option<String> {
    let mut output = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut in_class = false;
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(escaped) => translate_escape(escaped, in_class, &mut output),
                None => output.push('\\'),
            },
            '[' if !in_class => {
                in_class = true;
                output.push('[');
                output.extend(characters.next_if_eq(&'^'));
                // The first `]` of a class is a literal.
                if characters.next_if_eq(&']').is_some() {
                    output.push_str(r"\]");
                }
            }
            '[' if characters.peek() != Some(&':') => output.push_str(r"\["),
            ']' => {
                in_class &= is_named(&output);
                output.push(']');
            }
            '-' if in_class && characters.peek() == Some(&'-') => return None,
            '&' | '~' if in_class => output.extend(['\\', character]),
            _ => output.push(character),
        }
    }
    Some(output)
}

/// Whether the class item that ends here is a name such as `[:alpha:]`.
fn is_named(output: &str) -> bool {
    output.strip_suffix(':').is_some_and(|head| {
        let name = head.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '^');
        name.ends_with("[:")
    })
}

fn translate_escape(escaped: char, in_class: bool, output: &mut String) {
    let items = match escaped.to_ascii_lowercase() {
        'd' => "0-9",
        'w' => "0-9A-Za-z_",
        's' => r"\t\n\x0C\r ",
        'b' if !in_class => {
            output.push_str(if escaped == 'b' { r"(?-u:\b)" } else { r"(?-u:\B)" });
            return;
        }
        // Here, with a backslash, they are the start and the end of a word.
        '<' | '>' => return output.push(escaped),
        _ => return output.extend(['\\', escaped]),
    };
    match (escaped.is_ascii_uppercase(), in_class) {
        (false, true) => output.push_str(items),
        (false, false) => output.extend(["[", items, "]"]),
        (true, _) => output.extend(["[^", items, "]"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_classes_as_go_does() {
        for (pattern, good, bad) in [
            (r"^\d+$", "12", "\u{663}"),
            (r"^[\w.-]+$", "a_b.c-d", "\u{e9}"),
            (r"^[^\d]$", "\u{663}", "3"),
            (r"^[\D]$", "a", "3"),
            (r"^\S+$", "ab", "a b"),
            ("^[[]$", "[", "a"),
            ("^[]a]$", "]", "b"),
            ("^[a&&b]+$", "a&b", "c"),
            ("^[[:alpha:]_]+$", "a_", "1"),
            ("^[a-z~~]+$", "a~", "A"),
            (r"^a\[b\]$", "a[b]", "ab"),
            (r"^a\<b\>$", "a<b>", "ab"),
            (r"^[\<\>]$", "<", "a"),
            ("b", "abc", "ac"),
        ] {
            let pattern = Pattern::new(pattern);
            assert!(pattern.is_checked(), "{} compiles", pattern.text);
            assert!(pattern.accepts(good), "{} takes {good}", pattern.text);
            assert!(!pattern.accepts(bad), "{} refuses {bad}", pattern.text);
        }
    }

    /// A search in a text that visits all states for each byte takes the steps of a check.
    #[test]
    fn searches_with_large_expressions_take_more_steps() {
        let text = "ab".repeat(500);
        for (pattern, most, least) in
            [("^(a|b)*c$", 1 << 10, 1_000), ("(a|b)*a[ab]{900}[ab]{900}c", 1 << 20, 1 << 10)]
        {
            let steps = Pattern::new(pattern).steps(text.len());
            assert!((least..=most).contains(&steps), "{pattern}: {steps}");
        }
    }

    #[test]
    fn patterns_that_do_not_compile_are_not_enforced() {
        for pattern in ["[+--]", r"\Qa.b\E", "(?=a)", "((a{1000}){1000}){1000}"] {
            let pattern = Pattern::new(pattern);
            assert!(!pattern.is_checked(), "{}", pattern.text);
            assert!(pattern.accepts("anything"));
        }
    }
}
