//! Placeholders that another program replaces: `${APP}`, `$(APP)`, `{{ .Values.app }}`, `__APP__`, `@APP@`,
//! `<APP>`, `[YOUR APP]`.

/// The opening and closing delimiters of placeholders.
const DELIMITERS: [(&str, &str); 7] =
    [("${", "}"), ("$(", ")"), ("{{", "}}"), ("__", "__"), ("@", "@"), ("<", ">"), ("[", "]")];

/// A placeholder in a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placeholder<'t> {
    /// The whole placeholder: `${APP:=web}`.
    pub text: &'t str,
    /// The name of the variable: `APP`.
    pub variable: &'t str,
    /// The opening delimiter: `${`.
    pub opening: &'static str,
}

impl<'t> Placeholder<'t> {
    /// The first placeholder of each form in a value.
    pub fn first_of_each_form(value: &'t str) -> impl Iterator<Item = Self> {
        DELIMITERS.iter().filter_map(|(opening, closing)| {
            let at = value.find(opening)?;
            Self::start_of(value.get(at..)?, opening, closing)
        })
    }

    /// The first variable of a shell in a value, without braces: `$APP`.
    #[must_use]
    pub fn of_shell(value: &'t str) -> Option<Self> {
        value.match_indices('$').find_map(|(at, _)| shell_variable(value.get(at..)?))
    }

    /// The placeholder with these delimiters at the start of a string.
    fn start_of(text: &'t str, opening: &'static str, closing: &str) -> Option<Self> {
        let inside = text.strip_prefix(opening)?;
        let end = inside.find(closing)?;
        let variable = variable_name(inside.get(..end)?, opening)?;
        let text = text.get(..opening.len() + end + closing.len())?;
        Some(Self { text, variable, opening })
    }

    /// Whether it is from a Go template, as used by Helm: `{{ .Values.app }}`.
    #[must_use]
    pub fn is_of_go(&self) -> bool {
        let inside = self.variable;
        let is_word = |word: &str| {
            inside.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let words = ["define", "else", "end", "if", "include", "range", "template", "with"];
        self.opening == "{{" && (inside.starts_with(['.', '$']) || words.into_iter().any(is_word))
    }
}

/// The parts of a string around its placeholders, which can be empty; the shell's `$APP` is one too.
/// One part, if there is no placeholder.
#[must_use]
pub fn parts_around_placeholders(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(next) = text.get(at..).and_then(|it| it.find(['$', '{', '_', '@', '<'])) {
        at += next;
        let rest = text.get(at..).unwrap_or("");
        let length = length_at_start(rest);
        if length > 0 {
            parts.push(text.get(from..at).unwrap_or(""));
            from = at + length;
        }
        at += length.max(1);
    }
    parts.push(text.get(from..).unwrap_or(""));
    parts
}

/// The length of the placeholder that a string starts with; 0 if it starts with none.
fn length_at_start(text: &str) -> usize {
    let mut forms = DELIMITERS.iter();
    let delimited =
        forms.find_map(|(opening, closing)| Placeholder::start_of(text, opening, closing));
    delimited.or_else(|| shell_variable(text)).map_or(0, |placeholder| placeholder.text.len())
}

/// The variable of a shell, without braces, that a string starts with.
fn shell_variable(text: &str) -> Option<Placeholder<'_>> {
    let name = text.strip_prefix('$')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
    let variable = name.get(..end)?;
    let is_name = variable.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    is_name.then_some(Placeholder { text: text.get(..=end)?, variable, opening: "$" })
}

/// The name of the variable between delimiters.
fn variable_name<'t>(inside: &'t str, opening: &str) -> Option<&'t str> {
    let name = inside.trim_matches([' ', '-']);
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
    let first = name.get(..end).filter(|first| first.contains(|c: char| c.is_ascii_alphabetic()));
    match opening {
        "{{" => Some(name).filter(|name| !name.is_empty()),
        "${" => first,
        "$(" => {
            let is_part = |c: char| is_part(c) || c == '-';
            first.filter(|_| name.chars().all(is_part)).map(|_| name)
        }
        // Can contain several words: `<your-cluster>`.
        "<" => {
            let is_word = |c: char| is_part(c) || matches!(c, ' ' | '-');
            first.filter(|_| name.chars().all(is_word)).map(|_| name)
        }
        // Unlike lists, IPv6 addresses and sets of characters, it is in capitals or says `your`.
        "[" => {
            let is_word = |c: char| is_part(c) || matches!(c, ' ' | '-');
            let is_yours = name.split([' ', '-', '_']).any(|it| it.eq_ignore_ascii_case("your"));
            let is_capital = !name.contains(|c: char| c.is_ascii_lowercase() || c == '.');
            let is_meant = is_yours || is_capital && name.len() > 2 && !name.contains("A-Z");
            first.filter(|_| is_meant && name.chars().all(is_word)).map(|_| name)
        }
        // Unlike addresses: `@` also separates a user from a host.
        "@" => first.filter(|_| name.chars().all(|c| c.is_ascii_uppercase() || c == '_')),
        _ => first.filter(|first| first.len() == name.len()),
    }
}
