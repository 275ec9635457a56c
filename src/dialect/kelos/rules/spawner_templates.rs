//! Checks of the templates of a TaskSpawner: the values that they use must exist in the events of
//! its source.

use super::{SPAWNER_TEMPLATE_INVALID, duplicates};
use crate::decode::{Anything, Text};
use crate::diag::{Diagnostic, Message, Sink, message};
use crate::dialect::kelos::spawner::{TaskSpawnerSpec, TaskTemplate};
use crate::dialect::kelos::template::{Read, Template};
use crate::source::Span;
use crate::tree::{Entry, Node};

/// Values in the events of sources that kelos polls. Every such source has all of them, although
/// some are empty.
const POLLED: &[&str] = &[
    "ID",
    "Number",
    "Title",
    "Body",
    "URL",
    "Labels",
    "Comments",
    "Kind",
    "Branch",
    "ReviewState",
    "ReviewComments",
    "Time",
    "Schedule",
];
const GITHUB_WEBHOOK: &[&str] = &[
    "Event",
    "Action",
    "Sender",
    "Ref",
    "Repository",
    "RepositoryOwner",
    "RepositoryName",
    "Payload",
    "ID",
    "Title",
    "Kind",
    "ChangedFiles",
    "Number",
    "Body",
    "URL",
    "Branch",
    "CommentBody",
    "CommentURL",
    "Tag",
    "RefType",
    "CheckName",
    "Conclusion",
    "CheckRunURL",
    "HeadSHA",
    "CheckApp",
];
const LINEAR_WEBHOOK: &[&str] =
    &["ID", "Title", "Kind", "Type", "Action", "State", "Labels", "IssueID", "Payload"];
const WEBHOOK: &[&str] = &["Kind", "Payload", "ID", "Title", "Body", "URL"];
const SLACK: &[&str] = &["ID", "Title", "Body", "URL", "Kind"];
/// The documents of `contextSources`.
const CONTEXT: &str = "Context";

/// The values that a template can read.
struct Values<'s> {
    source: &'static str,
    names: Vec<&'s str>,
    contexts: Vec<&'s str>,
}

/// A field that kelos renders for each event.
pub(super) struct Rendered<'t> {
    /// The path in `taskTemplate`.
    pub(super) field: String,
    pub(super) text: &'t str,
    pub(super) place: Span,
    /// The effect of a template that cannot be rendered.
    effect: &'static str,
}

impl<'t> Rendered<'t> {
    fn of_task(field: String, text: &'t Text) -> Self {
        Self { field, text: text.as_str(), place: text.span(), effect: NO_TASK }
    }

    const fn string(&self) -> (Span, &'t str) {
        (self.place, self.text)
    }

    fn finding(&self, message: Message) -> Diagnostic {
        Diagnostic::new(&SPAWNER_TEMPLATE_INVALID, self.place, message)
            .at("not a valid template")
            .note(self.effect)
    }
}

/// The effect of a fault, unless the author sets another policy.
const NO_TASK: &str = "kelos cannot start a Task";

/// Checks the templates of a `TaskSpawner` with one source.
pub(super) fn check(spec: &TaskSpawnerSpec, sink: &mut Sink) {
    let values = values_of_events(spec);
    for part in rendered_fields(&spec.task_template) {
        check_template(&part, |read| check_read(&values, &part, read), sink);
    }
    let sources = spec.task_template.context_sources.as_ref().map_or(&[][..], |it| &it.items);
    for (at, source) in sources.iter().enumerate() {
        for part in requested_fields(at, &source.node) {
            check_template(&part, |read| check_read_in_context(&values, &part, read), sink);
        }
        if let Some(finding) = check_scheme(&source.node) {
            sink.report(finding);
        }
    }
    report_repeated(sources, sink);
}

fn check_template(
    part: &Rendered<'_>,
    judge: impl Fn(&Read) -> Option<Diagnostic>,
    sink: &mut Sink,
) {
    match Template::parse(part.text) {
        Err(cause) => sink.report(
            part.finding(message!("the template `{}` {cause}", part.field))
                .help("write `{{.Title}}`, or quote braces as `{{\"{{\"}}`"),
        ),
        Ok(template) => {
            template.reads.iter().filter_map(judge).for_each(|finding| sink.report(finding));
        }
    }
}

/// The fields that kelos renders, with their names.
pub(super) fn rendered_fields(template: &TaskTemplate) -> Vec<Rendered<'_>> {
    let named = [
        ("promptTemplate", template.prompt_template.as_ref()),
        ("nameTemplate", template.name_template.as_ref()),
        ("branch", template.fields.branch.as_ref()),
    ];
    let fields = named.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?)));
    let maps = template.metadata.iter().flat_map(|metadata| {
        [("metadata.labels", &metadata.labels), ("metadata.annotations", &metadata.annotations)]
    });
    let entries = maps.flat_map(|(name, map)| {
        let entries = map.iter().flat_map(|it| &it.entries);
        entries.map(move |(key, text)| (format!("{name}.{key}"), text))
    });
    fields.chain(entries).map(|(field, text)| Rendered::of_task(field, text)).collect()
}

/// The fields of a request for context, which kelos renders before it starts the Task.
fn requested_fields(at: usize, source: &Node) -> Vec<Rendered<'_>> {
    let Some(http) = source.get("http") else { return Vec::new() };
    let effect = effect_of_failure(source);
    let named =
        ["url", "body"].into_iter().filter_map(|key| Some((key.to_owned(), http.get(key)?)));
    let headers = http.get("headers").map_or(&[][..], Node::entries).iter();
    let headers = headers.map(|entry| (format!("headers.{}", entry.key), &entry.value));
    let parts = named.chain(headers).filter_map(|(field, node)| {
        let field = format!("contextSources[{at}].http.{field}");
        Some(Rendered { field, text: node.as_str()?, place: node.span(), effect })
    });
    parts.collect()
}

/// The effect of a request that fails.
fn effect_of_failure(source: &Node) -> &'static str {
    match source.str_at(&["failurePolicy"]) {
        Some("Ignore") => "kelos uses an empty document",
        _ => NO_TASK,
    }
}

/// The fault of a URL that kelos does not request. Parts that are templates are not checked.
fn check_scheme(source: &Node) -> Option<Diagnostic> {
    let http = source.get("http")?;
    let address = http.get("url")?;
    let (fixed, is_whole) = match address.as_str()?.split_once("{{") {
        Some((fixed, _)) => (fixed, false),
        None => (address.as_str()?, true),
    };
    let scheme = match fixed.split_once(':') {
        Some((scheme, _)) => scheme.to_ascii_lowercase(),
        None if is_whole => String::new(),
        None => return None,
    };
    let is_insecure = http.get("allowInsecure").and_then(Node::as_bool) == Some(true);
    let finding = |message: Message| {
        Diagnostic::new(&SPAWNER_TEMPLATE_INVALID, address.span(), message)
            .note(effect_of_failure(source))
    };
    match scheme.as_str() {
        "https" => None,
        "http" if is_insecure => None,
        "http" => Some(
            finding("the URL of a context source must use `https`".into())
                .at("uses `http`")
                .help("use `https`, or set `allowInsecure: true`"),
        ),
        _ => Some(
            finding(message!("unsupported scheme `{scheme}` in the URL of a context source"))
                .at("unsupported scheme")
                .help("write `https://HOST/PATH`"),
        ),
    }
}

fn values_of_events(spec: &TaskSpawnerSpec) -> Values<'_> {
    let source = spec.when.sources().first().copied().unwrap_or_default();
    let names = match source {
        "githubWebhook" => GITHUB_WEBHOOK,
        "linearWebhook" => LINEAR_WEBHOOK,
        "webhook" => WEBHOOK,
        "slack" => SLACK,
        _ => POLLED,
    };
    let mappings = spec.when.webhook.iter().filter_map(|webhook| webhook.node.get("fieldMapping"));
    let mapped = mappings.flat_map(Node::entries).map(Entry::key);
    let contexts = spec.task_template.context_sources.iter().flat_map(|it| &it.items);
    Values {
        source,
        names: names.iter().copied().chain(mapped).collect(),
        contexts: contexts.filter_map(|context| context.node.str_at(&["name"])).collect(),
    }
}

/// The finding about a value that the template of a Task cannot read.
fn check_read(values: &Values<'_>, part: &Rendered<'_>, read: &Read) -> Option<Diagnostic> {
    if read.path.first()? != CONTEXT {
        return check_value(values, part, read);
    }
    if part.field == "nameTemplate" {
        let message = "`nameTemplate` reads `.Context`, which only exists after the name";
        let finding = part.finding(message.into());
        return Some(finding.help("use a field of the event, such as `{{.ID}}`"));
    }
    let source = read.path.get(1).filter(|name| !values.contexts.contains(&name.as_str()))?;
    let message = message!(
        "the template `{}` reads context source `{source}`, which does not exist",
        part.field
    );
    let contexts = values.contexts.iter().copied();
    let name = (".Context.", source.as_str());
    Some(part.finding(message).suggest_near_inside_or(part.string(), name, contexts, || {
        message!("add `{source}` to `contextSources`")
    }))
}

/// The finding about a value that a request for context cannot read.
fn check_read_in_context(
    values: &Values<'_>,
    part: &Rendered<'_>,
    read: &Read,
) -> Option<Diagnostic> {
    if read.path.first()? != CONTEXT {
        return check_value(values, part, read);
    }
    let message =
        message!("the template `{}` reads `.Context`, which does not exist yet", part.field);
    Some(part.finding(message).help("use a field of the event, such as `{{.ID}}`"))
}

/// The finding about a value that no event has.
fn check_value(values: &Values<'_>, part: &Rendered<'_>, read: &Read) -> Option<Diagnostic> {
    let name = read.path.first()?.as_str();
    if values.names.contains(&name) {
        return None;
    }
    let Values { source, names, .. } = values;
    let message = message!(
        "the template `{}` reads `.{name}`, which source `{source}` does not have",
        part.field
    );
    let all = names.iter().copied();
    Some(part.finding(message).suggest_near_inside_or(part.string(), (".", name), all, || {
        let names = names.iter().map(|name| message!("`.{name}`"));
        message!("use one of {}", Message::joined(names, ", "))
    }))
}

fn report_repeated(sources: &[Anything], sink: &mut Sink) {
    let nodes = sources.iter().filter_map(|source| source.node.get("name"));
    let names = nodes.map(|name| (name.as_str().unwrap_or_default(), name.span()));
    for (name, span, first) in duplicates(names) {
        let message = message!("duplicate context source `{name}`");
        sink.report(
            Diagnostic::new(&SPAWNER_TEMPLATE_INVALID, span, message)
                .at("defined again here")
                .label(first, "first defined here")
                .help("rename one of them"),
        );
    }
}
