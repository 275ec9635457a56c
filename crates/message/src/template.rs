//! The literal of `message!`, divided into words and placeholders.

/// A literal, as its source is written.
pub(crate) struct Template {
    pieces: Vec<Piece>,
}

/// A part of a literal.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    /// Words, as the source of a literal.
    Words(String),
    /// A placeholder, and the format after its colon.
    Placeholder(Place, String),
}

/// The value that a placeholder shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// An argument by position.
    Position(usize),
    /// An argument or a variable by name.
    Name(String),
}

impl Template {
    /// Divides the source of a string literal.
    ///
    /// # Errors
    /// If it is not a string, or a brace has no counterpart.
    pub(crate) fn parse(source: &str) -> Result<Self, String> {
        let opening = source.find('"').ok_or("not a string literal")?;
        let (prefix, rest) = source.split_at(opening + 1);
        let closing = rest.rfind('"').ok_or("not a string literal")?;
        let (body, suffix) = rest.split_at(closing);
        if !(prefix == "\"" || prefix.starts_with('r')) {
            return Err("not a string literal".to_owned());
        }
        Division { prefix, suffix, words: String::new(), template: Self { pieces: Vec::new() } }
            .divide(body)
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &Place> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Words(_) => None,
            Piece::Placeholder(place, _) => Some(place),
        })
    }
}

/// A literal while it is divided.
struct Division<'s> {
    prefix: &'s str,
    suffix: &'s str,
    words: String,
    template: Template,
}

impl Division<'_> {
    fn divide(mut self, body: &str) -> Result<Template, String> {
        let (is_raw, mut rest, mut next) = (self.prefix.starts_with('r'), body, 0);
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '\\' if !is_raw => escape_length(rest),
                _ => first.len_utf8(),
            };
            let (text, after) = rest.split_at(length);
            rest = after;
            match first {
                '{' | '}' if rest.starts_with(first) => {
                    self.words.push(first);
                    rest = rest.split_at(1).1;
                }
                '{' => {
                    let (inside, after) = rest.split_once('}').ok_or("`{` without `}`")?;
                    rest = after;
                    self.end_words();
                    let placeholder = parse_placeholder(inside, &mut next)?;
                    self.template.pieces.push(placeholder);
                }
                '}' => return Err("`}` without `{`".to_owned()),
                _ => self.words.push_str(text),
            }
        }
        self.end_words();
        Ok(self.template)
    }

    fn end_words(&mut self) {
        let words = std::mem::take(&mut self.words);
        if !words.is_empty() {
            let source = format!("{}{words}{}", self.prefix, self.suffix);
            self.template.pieces.push(Piece::Words(source));
        }
    }
}

/// The length of the escape at the start, in bytes: braces in `\u{2026}` are not placeholders.
fn escape_length(text: &str) -> usize {
    if text.starts_with("\\u") {
        return text.find('}').map_or(text.len(), |end| end + 1);
    }
    1 + text.chars().nth(1).map_or(0, char::len_utf8)
}

/// The placeholder with this content; `next` is the position of the next one without a name.
fn parse_placeholder(inside: &str, next: &mut usize) -> Result<Piece, String> {
    let (name, format) = inside.split_once(':').unwrap_or((inside, ""));
    let place = match name.trim() {
        "" => {
            *next += 1;
            Place::Position(*next - 1)
        }
        name if name.bytes().all(|byte| byte.is_ascii_digit()) => {
            Place::Position(name.parse().map_err(|_| format!("invalid placeholder `{name}`"))?)
        }
        name if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
            Place::Name(name.to_owned())
        }
        name => return Err(format!("`{name}` is not the name of a variable")),
    };
    Ok(Piece::Placeholder(place, format.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(source: &str) -> Vec<Piece> {
        Template::parse(source).unwrap().pieces
    }

    fn words(source: &str) -> Piece {
        Piece::Words(source.to_owned())
    }

    fn named(name: &str, format: &str) -> Piece {
        Piece::Placeholder(Place::Name(name.to_owned()), format.to_owned())
    }

    fn numbered(position: usize) -> Piece {
        Piece::Placeholder(Place::Position(position), String::new())
    }

    #[test]
    fn words_and_placeholders_alternate() {
        assert_eq!(
            pieces(r#""no `{field}` in {} or {}""#),
            [
                words(r#""no `""#),
                named("field", ""),
                words(r#""` in ""#),
                numbered(0),
                words(r#"" or ""#),
                numbered(1)
            ]
        );
        assert_eq!(pieces(r#""{0}{value:?}""#), [numbered(0), named("value", "?")]);
        assert_eq!(pieces(r#""""#), []);
    }

    #[test]
    fn braces_in_pairs_and_escapes_are_words() {
        assert_eq!(
            pieces(r#""{{a}} \u{2026}\"{b}""#),
            [words(r#""{a} \u{2026}\"""#), named("b", "")]
        );
        assert_eq!(pieces("r#\"\\{a}\"#"), [words("r#\"\\\"#"), named("a", "")]);
    }

    #[test]
    fn faults_are_errors() {
        for source in ["\"{a\"", "\"a}\"", "\"{a.b}\"", "b\"a\"", "1"] {
            assert!(Template::parse(source).is_err(), "{source}");
        }
    }
}
