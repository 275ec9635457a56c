//! Values of the wrong type: the actual and the expected type, and the repair.

use super::rules::WRONG_TYPE;
use super::unknown::MAX_ENTRIES;
use super::{Position, Scope, Walk, text};
use crate::diag::{About, Diagnostic, Meant, Message, Words, brief, message};
use crate::scalar::whole_seconds;
use crate::schema::{List, ListType, Object, Type};
use crate::source::Span;
use crate::tree::{Entry, Map, Node, Value};
use crate::yaml::scalar::{self, quote};

/// The longest corrected text that a message shows, in bytes.
const LONGEST_SHOWN: usize = 200;

/// The longest name of an object, in bytes.
const LONGEST_WORD: usize = 253;

impl Walk<'_> {
    pub(super) fn wrong_type(&mut self, node: &Node, expected: Type<'_>, place: &Position<'_>) {
        let key = if place.key.is_empty() { self.cx.what } else { place.key };
        let subject = Words(if place.is_item { "an item of " } else { "" });
        let message = message!(
            "{subject}`{key}` must be {}, not {}",
            text::kind_of(expected),
            node.describe()
        );
        let is_container = matches!(node.value, Value::List(_) | Value::Map(_));
        // A block can be long, so its key is underlined instead, or the dash to remove or to add.
        let dash = self.line_of_dash(node, expected.resolve()).filter(|dash| *dash > place.at);
        let at = if is_container { dash.unwrap_or(place.at) } else { node.span() };
        let mut finding = Diagnostic::new(&WRONG_TYPE, at, message)
            .at(message!("is {}", node.describe()))
            .about(About::WrongType);
        if dash.is_some() {
            finding = finding.label(place.at, message!("must be {}", text::kind_of(expected)));
        }
        finding = match expected.resolve() {
            _ if self.is_result(node) => self.for_expression(finding, node, expected.resolve()),
            Type::String(_) | Type::Enum(_) | Type::Choice(_) => {
                self.for_text(finding, node, key, place)
            }
            Type::Int32 | Type::Int64 | Type::Number => for_number(finding, node, key),
            Type::Bool => for_boolean(finding, node, key),
            Type::List(list) => self.for_list(finding, node, list, place),
            Type::Map(_) => self.for_map(finding, node, key),
            Type::Object(object) => self.for_object(finding, node, object, key),
            Type::Quantity => finding.help("write a number and a unit: `500m`, `2`, `1Gi`"),
            Type::IntOrString if node.as_number().is_some() => {
                self.for_text(finding, node, key, place)
            }
            _ => finding,
        };
        match node.as_map().and_then(|map| self.stray_item(map, place)) {
            Some((first, _)) if matches!(expected.resolve(), Type::String(_)) => {
                finding = finding.about(About::UnknownField(Some(Meant::Elsewhere)));
                let path = place.path.field(&first.key);
                self.report(node.origin(), &Position { path, ..*place }, finding);
            }
            _ => self.report(node.origin(), place, finding),
        }
    }

    /// The first dash of a block list that must be a map, or the first key of a block map that must
    /// be a list.
    fn line_of_dash(&self, node: &Node, expected: Type<'_>) -> Option<Span> {
        let written = self.written(node)?;
        if self.is_braced_line(node) && matches!(expected, Type::List(_)) {
            return Some(node.span().part(0..1));
        }
        let is_block = !written.starts_with(['{', '[']);
        match (&node.value, expected) {
            (Value::List(_), Type::Object(_) | Type::Map(_)) if is_block => {
                Some(node.span().part(0..1))
            }
            (Value::Map(map), Type::List(_)) if is_block => {
                map.entries().first().map(|first| first.key_origin().span())
            }
            _ => None,
        }
    }

    /// Whether the value is a map in brackets that begins its line.
    fn is_braced_line(&self, node: &Node) -> bool {
        self.cx.texts.is_some_and(|texts| texts.begins_line(node.span()))
            && self.written(node).is_some_and(|it| it.starts_with('{'))
    }

    /// Whether the value is the result of an expression, so that the source differs from it.
    fn is_result(&self, node: &Node) -> bool {
        let is_expression = self.written(node).is_some_and(|written| written.contains("{{"));
        is_expression
            && !node.as_str().is_some_and(|text| text.contains("{{"))
            && !matches!(node.value, Value::Map(_))
    }

    /// The result of an expression keeps its type; the quotes around it belong to YAML.
    fn for_expression(&self, finding: Diagnostic, node: &Node, expected: Type<'_>) -> Diagnostic {
        let (filter, what) = match expected {
            Type::String(_) | Type::Enum(_) | Type::Choice(_) => ("string", "a string"),
            Type::Int32 | Type::Int64 => ("int", "an integer"),
            Type::Bool => {
                return finding.help(
                    "write an expression that evaluates to true or false: `\"{{ values.size == 'large' }}\"`",
                );
            }
            _ => return finding.note("this is the value that the expression evaluates to"),
        };
        let text = message!("convert the result of the expression to {what}");
        match self.written(node).and_then(|written| append_filter(written, filter)) {
            Some(replacement) => finding.suggest(node.span(), replacement, text),
            None => finding.help(message!("{text}: `\"{{{{ (...) | {filter} }}}}\"`")),
        }
    }

    /// The first key of an item of a list of strings that is a map, if it is a field of the object
    /// around the list: a dash too many.
    fn stray_item<'m, 'p>(
        &self,
        map: &'m Map,
        place: &Position<'p>,
    ) -> Option<(&'m Entry, &'p Scope<'p>)> {
        let first = map.entries().first().filter(|_| place.is_item);
        first.zip(place.scope).filter(|(first, scope)| self.lacks(scope, &first.key))
    }

    fn for_text(
        &self,
        finding: Diagnostic,
        node: &Node,
        key: &str,
        place: &Position<'_>,
    ) -> Diagnostic {
        let written = self.written(node).map(str::to_owned);
        match &node.value {
            Value::Int(_) | Value::UInt(_) | Value::Float(_) | Value::Bool(_) => {
                let plain = written.unwrap_or_else(|| node.to_json().to_string());
                let quoted = format!("\"{plain}\"");
                finding.fix(node.span(), quoted, "quote it")
            }
            Value::Map(_)
                if written.as_ref().is_some_and(|text| text.trim_start().starts_with("{{")) =>
            {
                finding.help("quote the expression: YAML reads `{{` as a map in a map")
            }
            Value::Map(map) => match (self.stray_item(map, place), map.entries()) {
                (Some((first, owner)), _) => finding.help(self.dash_too_many(&first.key, owner)),
                (None, _) if key == "matchLabels" => {
                    let text = "remove `matchLabels`: the labels are the selector itself";
                    let labels = written.as_deref().and_then(|text| {
                        text.strip_prefix('{')?
                            .strip_suffix('}')
                            .filter(|line| !line.contains('\n'))
                    });
                    match labels {
                        Some(labels) => {
                            finding.suggest(place.at.to(node.span()), labels.trim(), text)
                        }
                        None => finding.help(text),
                    }
                }
                // `{name: python}` is how Kubernetes refers to an object.
                (
                    None,
                    [Entry { key: name, value: Node { value: Value::String(text), .. }, .. }],
                ) if name == "name" => finding.help(message!("write `{key}: {text}`")),
                // `- Authorization: Bearer x`.
                _ => match written.filter(|text| is_line_of_text(text)) {
                    Some(line) => {
                        let text = "quote the string: `: ` separates a key from its value";
                        finding.suggest(node.span(), quote(&line), text)
                    }
                    None => finding.help("write a string on the line of the key"),
                },
            },
            Value::List(items) => match items.as_slice() {
                [one @ Node { value: Value::String(text), .. }] => {
                    let advice = message!("write `{text}` without the list");
                    let is_line =
                        written.is_some_and(|text| text.starts_with('[') && !text.contains('\n'));
                    match self.written(one).filter(|_| is_line) {
                        Some(one) => finding.suggest(node.span(), one.to_owned(), advice),
                        None => finding.help(advice),
                    }
                }
                _ => finding.help("write one string instead of the list"),
            },
            Value::Null | Value::String(_) => finding,
        }
    }

    fn for_list(
        &self,
        finding: Diagnostic,
        node: &Node,
        list: &List<'_>,
        place: &Position<'_>,
    ) -> Diagnostic {
        match &node.value {
            Value::Map(map) => {
                let is_name_to_value = match (list.identity, list.items.resolve()) {
                    (ListType::Map(["name"]), Type::Object(object)) => {
                        object.property("value").is_some()
                            && map
                                .entries()
                                .iter()
                                .all(|entry| object.property(&entry.key).is_none())
                    }
                    _ => false,
                };
                match map.entries().first() {
                    Some(first) if is_name_to_value => {
                        let item = self.as_item(first);
                        finding.help(message!(
                            "write each as an item with `name` and `value`: `{item}`"
                        ))
                    }
                    _ if self.is_braced_line(node) => {
                        finding.suggest(node.span().start_point(), "- ", "put `- ` before the map")
                    }
                    _ => match self.written(node).filter(|it| it.starts_with('{')) {
                        Some(map) => {
                            finding.suggest(node.span(), format!("[{map}]"), "make it a list")
                        }
                        None => finding.help(
                            "put `- ` before the first key, and indent the others by two spaces",
                        ),
                    },
                }
            }
            Value::String(value) => {
                let is_command = matches!(place.key, "command" | "args");
                if is_command && value.contains(' ') {
                    return self.for_command(finding, node, value);
                }
                let written = self.written(node);
                let is_own_line = self.cx.texts.is_some_and(|texts| texts.begins_line(node.span()));
                if is_own_line && written.is_some_and(is_item_above_items) {
                    let start = node.span().start_point();
                    return finding.suggest(start, "- ", "put `- ` before the item");
                }
                if is_own_line
                    && written.is_some_and(|text| text.len() > 1 && text.starts_with('-'))
                {
                    let gap = node.span().part(1..1);
                    return finding.suggest(gap, " ", "add a space after the `-`");
                }
                match written.filter(|_| {
                    matches!(list.items, Type::String(_) | Type::Enum(_) | Type::Choice(_))
                }) {
                    Some(written) if !written.contains(['\n', ',', '[', '{']) => {
                        finding.fix(node.span(), format!("[{written}]"), "make it a list")
                    }
                    _ => finding.help("write a list: put `- ` before each item"),
                }
            }
            _ => finding.help("write a list: put `- ` before each item"),
        }
    }

    /// Formats `MODE: fast` as an item of a list with `name` and `value`, whose values are strings.
    fn as_item(&self, pair: &Entry) -> String {
        let name = &pair.key;
        let value = match &pair.value.value {
            Value::String(_) => Some(pair.value.to_json().to_string()),
            Value::Int(_) | Value::UInt(_) | Value::Float(_) | Value::Bool(_) => {
                self.written(&pair.value).map(|written| format!("\"{written}\""))
            }
            Value::Null | Value::List(_) | Value::Map(_) => None,
        };
        match value.filter(|value| value.len() <= LONGEST_SHOWN) {
            Some(value) => format!("- {{name: {name}, value: {value}}}"),
            None => format!("- name: {name}"),
        }
    }

    /// A command line instead of a list of words. Quotes around each word keep `8080` and `no`
    /// strings.
    fn for_command(&self, finding: Diagnostic, node: &Node, line: &str) -> Diagnostic {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || " -_./:=,@+%".contains(c);
        let is_one_line = self.written(node).is_some_and(|text| !text.contains('\n'));
        let is_known = is_one_line && line.len() <= LONGEST_SHOWN && !line.contains("{{");
        if is_known && line.chars().all(is_plain) {
            let words: Vec<_> = line.split(' ').filter(|word| !word.is_empty()).collect();
            let list = format!("[\"{}\"]", words.join("\", \""));
            return finding.suggest(node.span(), list, "write a list, one item for each word");
        }
        if is_known {
            let list = format!("[\"sh\", \"-c\", {}]", node.to_json());
            return finding.suggest(node.span(), list, "run the line in a shell");
        }
        finding.help("write a list, one item for each word, or run a shell: `[sh, -c, \"...\"]`")
    }

    fn for_object(
        &self,
        finding: Diagnostic,
        node: &Node,
        object: &Object<'_>,
        key: &str,
    ) -> Diagnostic {
        let fields = || object.properties.iter().take(MAX_ENTRIES);
        let port = || fields().find(|field| field.name == "port");
        let required = || fields().find(|it| it.is_required).or_else(port);
        match &node.value {
            Value::List(items) if items.len() == 1 => self.without_dash(finding, node),
            Value::List(_) => {
                finding.help(message!("`{key}` is a single map: remove the `- ` before its items"))
            }
            Value::String(value) => self.for_pair(finding, node, object, value),
            // `ports: [8080]`: the number is the value of the only required field.
            Value::Int(_) | Value::UInt(_) | Value::Float(_) => {
                match (required(), self.written(node)) {
                    (Some(field), Some(number)) if is_number(field.value) => {
                        let field = brief(field.name);
                        let text = message!("write a map with `{field}`");
                        finding.suggest(node.span(), format!("{{{field}: {number}}}"), text)
                    }
                    _ => with_example(finding, object),
                }
            }
            _ => with_example(finding, object),
        }
    }

    fn for_map(&self, finding: Diagnostic, node: &Node, key: &str) -> Diagnostic {
        match &node.value {
            Value::List(items)
                if items.len() == 1 && items.iter().all(|item| item.as_map().is_some()) =>
            {
                self.without_dash(finding, node)
            }
            Value::String(text) => match self.as_pair(node, text) {
                Some(pair) => finding.suggest(node.span(), pair, "write a colon and a space"),
                None => for_map(finding, node, key),
            },
            _ => for_map(finding, node, key),
        }
    }

    /// `app=web` or `app:web` as a key and a value.
    fn as_pair(&self, node: &Node, text: &str) -> Option<String> {
        let (key, value) = text.split_once(['=', ':'])?;
        let is_whole = self.written(node) == Some(text) && text.len() <= LONGEST_SHOWN;
        let value = match scalar::read(value) {
            _ if !is_word(value) => return None,
            (Some(Value::String(_)), false) => value.to_owned(),
            _ => quote(value),
        };
        (is_whole && is_word(key)).then(|| format!("{key}: {value}"))
    }

    /// A map that is the only item of a list.
    fn without_dash(&self, finding: Diagnostic, node: &Node) -> Diagnostic {
        let is_block = self.written(node).is_some_and(|it| it.starts_with("- "));
        let is_map = matches!(&node.value, Value::List(items) if items.iter().all(|item| item.as_map().is_some()));
        if is_block && is_map {
            // The keys keep their columns.
            return finding.suggest(node.span().part(0..1), " ", "remove the `-`");
        }
        finding.help("remove the `- `")
    }

    /// A string instead of a map: a missing colon, or one without a space after it, makes a string
    /// of a map; `NAME=value` is how other tools write a variable.
    fn for_pair(
        &self,
        finding: Diagnostic,
        node: &Node,
        object: &Object<'_>,
        text: &str,
    ) -> Diagnostic {
        let line = text.lines().next().unwrap_or(text);
        let (name, rest) = line.split_at(line.find([' ', ':', '=']).unwrap_or(line.len()));
        if object.property(name).is_some() {
            let rest: String = rest.trim_start_matches([' ', ':', '=']).chars().take(60).collect();
            let pair = format!("{name}: {rest}");
            let is_whole = self.written(node) == Some(text) && line == text;
            return if is_whole && line.len() <= LONGEST_SHOWN {
                finding.suggest(node.span(), pair, "write a colon and a space")
            } else {
                finding.help(message!("write `{pair}`, with a colon and a space"))
            };
        }
        let is_variable = object.property("name").is_some()
            && object.property("value").is_some()
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match rest.strip_prefix('=').filter(|_| is_variable && line == text) {
            Some(value) if !value.contains(['"', '\\']) && line.len() <= LONGEST_SHOWN => {
                let item = format!("{{name: {name}, value: \"{value}\"}}");
                finding.suggest(node.span(), item, "write a map with `name` and `value`")
            }
            _ => match map_of_shorthand(text, object).filter(|_| !self.is_result(node)) {
                Some((map, what)) => finding.suggest(node.span(), map, what),
                None => with_example(finding, object),
            },
        }
    }
}

/// Whether the first line of a string is an item without a dash, and the others are items with one.
fn is_item_above_items(written: &str) -> bool {
    let mut lines = written.lines();
    lines.next().is_some_and(|line| !line.starts_with('-'))
        && lines.clone().next().is_some()
        && lines.all(|line| line.trim_start().starts_with("- "))
}

fn is_number(ty: Type<'_>) -> bool {
    matches!(ty.resolve(), Type::Int32 | Type::Int64 | Type::IntOrString)
}

/// Whether the text is a name, a path or a number, which needs no quotes within a map.
fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    !text.is_empty() && text.len() <= LONGEST_WORD && text.chars().all(is_part)
}

/// The map for a string that other tools accept instead: `8080:80/tcp` for a port, `data:/data` for
/// a mount, the name of a Secret.
fn map_of_shorthand(text: &str, object: &Object<'_>) -> Option<(String, Message)> {
    let has = |field: &str| object.property(field).is_some();
    if has("mountPath") && has("name") {
        let mut parts = text.split(':');
        let (name, path, mode) = (parts.next()?, parts.next()?, parts.next());
        let mode = match mode {
            None | Some("rw") => "",
            Some("ro") => ", readOnly: true",
            Some(_) => return None,
        };
        let is_name = is_word(name) && !name.contains('/');
        let is_mount = is_name && is_word(path) && path.starts_with('/');
        let map = format!("{{name: {name}, mountPath: {path}{mode}}}");
        return is_mount.then(|| (map, "write a map with `name` and `mountPath`".into()));
    }
    let port =
        ["containerPort", "port"].into_iter().find(|field| has(field)).filter(|_| has("protocol"));
    if let Some(field) = port {
        let (ports, protocol) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let protocol = match protocol.map(str::to_ascii_uppercase) {
            None => String::new(),
            Some(name) if ["TCP", "UDP", "SCTP"].contains(&name.as_str()) => {
                format!(", protocol: {name}")
            }
            Some(_) => return None,
        };
        let numbers: Vec<u16> =
            ports.split(':').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let map = match (numbers.as_slice(), has("targetPort")) {
            ([port, target], true) => {
                format!("{{{field}: {port}, targetPort: {target}{protocol}}}")
            }
            // The first of two is a port of the host.
            ([port], _) | ([_, port], false) => format!("{{{field}: {port}{protocol}}}"),
            _ => return None,
        };
        return Some((map, message!("write a map with `{field}`")));
    }
    // A reference to an object has only a name.
    let is_reference = object.properties.len() <= 2 && has("name") && is_word(text);
    is_reference.then(|| (format!("{{name: {text}}}"), "write a map with `name`".into()))
}

/// Whether a map is written like a string that contains `: `, on one line.
fn is_line_of_text(written: &str) -> bool {
    let is_block = !written.starts_with(['{', '"', '\'', '&', '*', '!', '?']);
    is_block && !written.contains(['\n', '\r']) && !written.contains(" #")
}

/// The expression with a filter appended, if the value is a single expression.
fn append_filter(written: &str, filter: &str) -> Option<String> {
    let quote = written.chars().next().filter(|first| ['"', '\''].contains(first))?;
    let unquoted = written.strip_prefix(quote)?.strip_suffix(quote)?;
    let inner = unquoted.strip_prefix("{{")?.strip_suffix("}}")?.trim();
    let is_name = inner
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '.'));
    let whole = if is_name { inner.to_owned() } else { format!("({inner})") };
    (!inner.contains("}}")).then(|| format!("{quote}{{{{ {whole} | {filter} }}}}{quote}"))
}

fn for_number(finding: Diagnostic, node: &Node, key: &str) -> Diagnostic {
    let text = match &node.value {
        Value::Float(_) => return finding.help("write a whole number"),
        Value::String(text) => text.as_str(),
        _ => "",
    };
    if text.parse::<i64>().is_ok() {
        return finding.fix(node.span(), text, "remove the quotes");
    }
    if let Some(seconds) = parse_seconds(text).filter(|_| key.contains("Seconds")) {
        let advice = message!("write the number of seconds: `{seconds}`");
        return finding.fix(node.span(), seconds.to_string(), advice);
    }
    if let Some(number) = whole_part(text) {
        return finding.suggest(node.span(), number, message!("write only the number: `{number}`"));
    }
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    match text.split_at(end) {
        ("", _) | (_, "") => finding.help(message!("write a number: `{key}: 1`")),
        (digits, "M" | "MB" | "Mi" | "MiB") => {
            finding.help(message!("write the number without its unit: `{key}: {digits}`"))
        }
        _ => finding.help("write a number without a unit"),
    }
}

/// The seconds of a duration, whose unit can be a word: 300 for `5 min`.
fn parse_seconds(text: &str) -> Option<u128> {
    whole_seconds(text).or_else(|| {
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
        let length = match unit.trim().to_ascii_lowercase().as_str() {
            "s" | "sec" | "secs" | "second" | "seconds" => 1,
            "m" | "min" | "mins" | "minute" | "minutes" => 60,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3_600,
            "d" | "day" | "days" => 86_400,
            _ => return None,
        };
        Some(u128::from(number) * length)
    })
}

/// The number before a unit that the field does not accept: `70%`, `30s`.
fn whole_part(text: &str) -> Option<&str> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text.strip_suffix(unit)?;
    let is_unit = unit == "%" || unit == "s";
    (is_unit && number.parse::<i32>().is_ok()).then_some(number)
}

fn for_boolean(finding: Diagnostic, node: &Node, key: &str) -> Diagnostic {
    let meant = match &node.value {
        Value::String(value) => match value.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "y" | "enabled" => Some("true"),
            "false" | "no" | "off" | "n" | "disabled" => Some("false"),
            _ => None,
        },
        Value::Int(1) => Some("true"),
        Value::Int(0) => Some("false"),
        _ => None,
    };
    match meant {
        Some(meant) => finding.fix(node.span(), meant, message!("write `{meant}`")),
        None => finding.help(message!("write `{key}: true` or `{key}: false`")),
    }
}

fn for_map(finding: Diagnostic, node: &Node, key: &str) -> Diagnostic {
    match &node.value {
        Value::List(items) => {
            let first = items.first().and_then(Node::as_str).unwrap_or_default();
            let pair = match first.split_once(['=', ':']) {
                Some((name, value)) if first.len() <= LONGEST_SHOWN => {
                    format!("{}: {}", name.trim(), value.trim())
                }
                _ => "key: value".to_owned(),
            };
            finding.help(message!("write `{pair}` below `{key}`, without `- `"))
        }
        Value::String(value) => match value.split_once(':') {
            Some((name, rest)) if !name.contains(' ') && !rest.is_empty() => finding
                .help(message!("put a space after the colon: `{name}: {}`", rest.trim_start())),
            _ => finding.help(message!("write `key: value` below `{key}`")),
        },
        _ => finding.help(message!("write `key: value` below `{key}`")),
    }
}

fn with_example(finding: Diagnostic, object: &Object<'_>) -> Diagnostic {
    let required = object.properties.iter().take(MAX_ENTRIES).find(|it| it.is_required);
    match required.or(object.properties.first()) {
        Some(property) => finding.help(message!("write a map: `{}: ...`", brief(property.name))),
        None => finding,
    }
}
