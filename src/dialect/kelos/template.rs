//! Go's text templates, parsed as `text/template` does, to check their syntax and find the values
//! that they read. They are never executed.

use crate::source::Slice as _;

/// A valid template.
#[derive(Debug, Default)]
pub(super) struct Template {
    /// Whether it contains actions, not only text and comments.
    pub(super) has_actions: bool,
    /// The characters of text before the first action.
    pub(super) prefix: usize,
    /// Its text, without the actions and comments.
    pub(super) text: String,
    /// The values that it reads of its data, in order: `.A.B` and `index .A "B"` both as `A`, `B`.
    pub(super) reads: Vec<Read>,
    /// The fields of its data that it always prints unchanged: `{{.A}}` outside of blocks.
    pub(super) printed: Vec<String>,
}

/// A value that a template reads.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Read {
    /// The names from the root, up to the first one that is not a literal.
    pub(super) path: Vec<String>,
    /// The number of names that are fields; the others are keys of `index`, which can be absent.
    pub(super) fields: usize,
}

/// The functions that every template has.
const FUNCTIONS: [&str; 19] = [
    "and", "call", "eq", "ge", "gt", "html", "index", "js", "le", "len", "lt", "ne", "not", "or",
    "print", "printf", "println", "slice", "urlquery",
];

#[derive(Clone, PartialEq, Debug)]
enum Token {
    /// `.A.B`; a lone dot has no names.
    Fields(Vec<String>),
    Word(String),
    Text(String),
    Variable,
    Other(char),
    /// A number or a character.
    Constant,
}

impl Template {
    /// Parses a template. The error is worded to follow "the template".
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut template = Self::default();
        let mut blocks = Blocks::default();
        let mut rest = text;
        while let Some((before, action)) = rest.split_once("{{") {
            if !template.has_actions {
                template.prefix += before.chars().count();
            }
            let (tokens, after) = read_tokens(action)?;
            let (before, after) = trim_spaces(before, action, after);
            template.text.push_str(before);
            rest = after;
            let Some(tokens) = tokens else { continue };
            template.has_actions = true;
            if let ([Token::Fields(names)], []) = (tokens.as_slice(), blocks.open.as_slice())
                && let [name] = names.as_slice()
            {
                template.printed.push(name.clone());
            }
            if !blocks.is_rebound(&tokens) {
                template.reads.extend(values_read(&tokens));
            }
            blocks.enter(&tokens)?;
        }
        if !template.has_actions {
            template.prefix += rest.chars().count();
        }
        template.text.push_str(rest);
        if blocks.open.is_empty() {
            Ok(template)
        } else {
            Err("has a block without `{{end}}`".to_owned())
        }
    }
}

/// The text around an action, without the spaces that `{{- ` and ` -}}` remove.
fn trim_spaces<'t>(before: &'t str, action: &str, after: &'t str) -> (&'t str, &'t str) {
    const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];
    let inside = action.slice(..action.len() - after.len());
    let inside = inside.strip_suffix("}}").unwrap_or(inside);
    let trims_before = inside.strip_prefix('-').is_some_and(|it| it.starts_with(SPACES));
    let trims_after = inside.strip_suffix('-').is_some_and(|it| it.ends_with(SPACES));
    let before = if trims_before { before.trim_end_matches(SPACES) } else { before };
    (before, if trims_after { after.trim_start_matches(SPACES) } else { after })
}

/// The tokens of one action, and the rest after it; no tokens for a comment.
fn read_tokens(action: &str) -> Result<(Option<Vec<Token>>, &str), String> {
    let body = match action.strip_prefix('-') {
        Some(trimmed) if trimmed.starts_with(char::is_whitespace) => trimmed,
        _ => action,
    };
    if let Some(comment) = body.trim_start().strip_prefix("/*") {
        let (_, after) = comment.split_once("*/").ok_or("has a comment without an end")?;
        let after = after.strip_prefix(" -").unwrap_or(after);
        let after = after.strip_prefix("}}").ok_or("has a comment that does not end its action")?;
        return Ok((None, after));
    }
    let mut tokens = Vec::new();
    let mut rest = body;
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("}}").or_else(|| rest.strip_prefix("-}}")) {
            return Ok((Some(tokens), after));
        }
        let (token, after) = read_token(rest)?;
        tokens.push(token);
        rest = after;
    }
}

fn read_token(rest: &str) -> Result<(Token, &str), String> {
    let Some(first) = rest.chars().next() else {
        return Err("has an unclosed action".to_owned());
    };
    let (token, length) = match first {
        '"' | '\'' => read_quoted(rest, first)?,
        '`' => {
            let inner = rest.get(1..).and_then(|it| it.split_once('`'));
            let (text, _) = inner.ok_or("has a string without an end")?;
            (Token::Text(text.to_owned()), text.len() + 2)
        }
        '.' if !rest[1..].starts_with(|it: char| it.is_ascii_digit()) => read_fields(rest),
        '$' => {
            let length = 1 + word_length(&rest[1..]);
            let (_, chain) = read_fields(&rest[length..]);
            (Token::Variable, length + chain)
        }
        '0'..='9' | '.' | '+' | '-' => {
            let number = |character: char| {
                character.is_ascii_alphanumeric() || matches!(character, '.' | '+' | '-' | '_')
            };
            (Token::Constant, rest.len() - rest.trim_start_matches(number).len())
        }
        _ if word_length(rest) > 0 => {
            let length = word_length(rest);
            (Token::Word(rest[..length].to_owned()), length)
        }
        '|' | '(' | ')' | ',' | '=' => (Token::Other(first), 1),
        ':' if rest.starts_with(":=") => (Token::Other('='), 2),
        other => return Err(format!("has the character `{other}` in an action")),
    };
    let after = &rest[length..];
    let ends_name =
        matches!(token, Token::Fields(_) | Token::Word(_) | Token::Variable | Token::Constant);
    let is_end = after.starts_with("-}}") || !after.starts_with(|c: char| !is_after_name(c));
    if let Some(bad) = after.chars().next().filter(|_| ends_name && !is_end) {
        return Err(format!("has the character `{bad}` after a name"));
    }
    Ok((token, after))
}

/// Whether the character can follow a name without a space.
fn is_after_name(character: char) -> bool {
    character.is_whitespace() || matches!(character, '|' | '(' | ')' | ',' | '.' | ':' | '=' | '}')
}

fn read_quoted(rest: &str, quote: char) -> Result<(Token, usize), String> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
            '\n' => break,
            _ if character == quote => {
                let token = if quote == '"' { Token::Text(text) } else { Token::Constant };
                return Ok((token, at + 1));
            }
            other => text.push(other),
        }
    }
    Err("has a string without an end".to_owned())
}

/// Reads `.A.B` or a single dot; returns a length of zero if there is none.
fn read_fields(rest: &str) -> (Token, usize) {
    let mut names = Vec::new();
    let mut length = 0;
    while let Some(after) = rest[length..].strip_prefix('.') {
        let name = word_length(after);
        if name == 0 {
            if names.is_empty() && length == 0 {
                length = 1;
            }
            break;
        }
        names.push(after[..name].to_owned());
        length += 1 + name;
    }
    (Token::Fields(names), length)
}

fn word_length(text: &str) -> usize {
    let is_part = |character: char| character == '_' || character.is_alphanumeric();
    if text.starts_with(|it: char| it.is_numeric()) {
        return 0;
    }
    text.len() - text.trim_start_matches(is_part).len()
}

/// The blocks that the actions open and close.
#[derive(Default)]
struct Blocks {
    /// For each open block, whether it rebinds the dot.
    open: Vec<bool>,
    /// The number of them in which it does.
    rebound: usize,
}

impl Blocks {
    /// Whether the dot is not the data of the template in this action.
    fn is_rebound(&self, tokens: &[Token]) -> bool {
        // `else` belongs to its block, which may rebind the dot only before it.
        let is_else = matches!(tokens.first(), Some(Token::Word(word)) if word == "else");
        let last = is_else && self.open.last() == Some(&true);
        self.rebound > usize::from(last)
    }

    fn enter(&mut self, tokens: &[Token]) -> Result<(), String> {
        let Some((first, rest)) = tokens.split_first() else {
            return Err("has an action without a value".to_owned());
        };
        let keyword = match first {
            Token::Word(word) => word.as_str(),
            _ => "",
        };
        let arguments = match keyword {
            "if" | "range" | "with" | "define" | "block" => {
                self.open.push(keyword != "if");
                self.rebound += usize::from(keyword != "if");
                rest
            }
            "end" => {
                let was_rebound = self.open.pop().ok_or("has `{{end}}` without a block")?;
                self.rebound -= usize::from(was_rebound);
                rest
            }
            "else" => {
                let block = self.open.last_mut().ok_or("has `{{else}}` without a block")?;
                self.rebound -= usize::from(*block);
                *block = rest.first() == Some(&Token::Word("with".to_owned()));
                self.rebound += usize::from(*block);
                rest
            }
            "template" | "break" | "continue" => rest,
            _ => tokens,
        };
        for token in arguments {
            let Token::Word(word) = token else { continue };
            let is_value = matches!(word.as_str(), "true" | "false" | "nil" | "if" | "with");
            if !is_value && !FUNCTIONS.contains(&word.as_str()) {
                return Err(format!("calls the function `{word}`, which does not exist"));
            }
        }
        Ok(())
    }
}

/// The values that an action reads.
fn values_read(tokens: &[Token]) -> Vec<Read> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Fields(names) = token else { continue };
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let is_indexed = before == Some(&Token::Word("index".to_owned()));
        let mut path = names.clone();
        if is_indexed {
            path.extend(tokens.iter().skip(at + 1).map_while(|token| match token {
                Token::Text(text) => Some(text.clone()),
                _ => None,
            }));
        }
        if !path.is_empty() {
            found.push(Read { fields: names.len(), path });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let template = Template::parse(text).unwrap();
        template.reads.iter().map(|read| read.path.join("/")).collect()
    }

    #[test]
    fn values_are_found_wherever_they_are_used() {
        assert_eq!(paths("{{.Title}} and {{ .A.B | printf \"%s\" }}"), ["Title", "A/B"]);
        assert_eq!(
            paths("{{index .Deps \"write-tests\" \"Results\" `branch`}}"),
            ["Deps/write-tests/Results/branch"]
        );
        assert_eq!(paths("{{- if eq .Kind \"PR\" -}}x{{else}}{{.URL}}{{end}}"), ["Kind", "URL"]);
        assert_eq!(paths("{{with $x := index . \"Context\"}}{{$x.y}}{{end}}"), ["Context"]);
    }

    #[test]
    fn the_dot_is_another_value_inside_range_and_with() {
        assert_eq!(
            paths("{{range .A}}{{.x}}{{if .y}}{{.z}}{{end}}{{else}}{{.B}}{{end}}{{.C}}"),
            ["A", "B", "C"]
        );
        assert_eq!(
            paths("{{with .A}}{{.x}}{{else with .B}}{{.y}}{{else}}{{.C}}{{end}}"),
            ["A", "B", "C"]
        );
        assert_eq!(paths("{{if .A}}{{.B}}{{else if .C}}{{.D}}{{end}}"), ["A", "B", "C", "D"]);
        assert_eq!(paths("{{range .A}}{{with .x}}{{else}}{{.y}}{{end}}{{end}}"), ["A"]);
    }

    #[test]
    fn blocks_in_else_and_after_end_are_counted() {
        assert_eq!(
            paths("{{range .A}}{{end}}{{.B}}{{if .C}}{{else with .D}}{{.x}}{{end}}{{.E}}"),
            ["A", "B", "C", "D", "E"]
        );
        let deep =
            format!("{}{{{{.x}}}}{}{{{{.B}}}}", "{{with .A}}".repeat(3), "{{end}}".repeat(3));
        assert_eq!(paths(&deep), ["A", "B"]);
    }

    #[test]
    fn the_prefix_ends_at_the_first_action() {
        for (text, prefix) in [("deps-{{.ID}}-x", 5), ("{{.ID}}-x", 0), ("é{{/* c */}}b", 2)] {
            assert_eq!(Template::parse(text).unwrap().prefix, prefix, "{text}");
        }
    }

    #[test]
    fn comments_are_no_text() {
        for (text, expected) in [
            ("a {{/* c */}} b", "a  b"),
            ("a\n{{- /* c */ -}}\n b", "ab"),
            ("a {{- /* c */}}\n{{/* c */ -}} b", "a\nb"),
            ("a } b", "a } b"),
        ] {
            assert_eq!(Template::parse(text).unwrap().text, expected, "{text}");
        }
    }

    #[test]
    fn text_and_comments_are_not_actions() {
        for text in ["", "a } b", "{{/* no */}}", "{{- /* no */ -}}"] {
            assert!(!Template::parse(text).unwrap().has_actions, "{text}");
        }
        assert!(Template::parse("{{1}}").unwrap().has_actions);
    }

    #[test]
    fn templates_that_go_does_not_parse_are_rejected() {
        for text in [
            "{{.Deps.write-tests.Results.branch}}",
            "${{ github.sha }}",
            "{{",
            "{{ }}",
            "{{ .A",
            "{{ \"x }}",
            "{{if .A}}",
            "{{end}}",
            "{{else}}",
            "{{ nope .A }}",
            "{{ a! }}",
        ] {
            assert!(Template::parse(text).is_err(), "{text}");
        }
    }
}
