//! Checks of the templates of a TaskSpawner: the values that they use must exist in the events of
//! its source.

use std::collections::BTreeMap;

use super::SPAWNER_TEMPLATE_INVALID;
use crate::decode::Text;
use crate::diag::{Diagnostic, Sink, did_you_mean};
use crate::dialect::kelos::spawner::{TaskSpawnerSpec, TaskTemplate};
use crate::dialect::kelos::template::{Read, Template};
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

/// Checks the templates of a `TaskSpawner` with one source.
pub(super) fn check(spec: &TaskSpawnerSpec, sink: &mut Sink) {
    let values = values(spec);
    for (field, text) in rendered(&spec.task_template) {
        match Template::parse(text.as_str()) {
            Err(cause) => sink.report(
                finding(text, format!("the template `{field}` {cause}"))
                    .help("write `{{.Title}}`, or quote braces as `{{\"{{\"}}`"),
            ),
            Ok(template) => {
                for read in &template.reads {
                    if let Some(found) = unknown(&values, &field, text, read) {
                        sink.report(found);
                    }
                }
            }
        }
    }
    context_sources(&spec.task_template, sink);
}

fn finding(text: &Text, message: String) -> Diagnostic {
    Diagnostic::new(&SPAWNER_TEMPLATE_INVALID, text.span(), message)
        .at("not a valid template")
        .note("kelos cannot start a Task")
}

/// The fields that kelos renders, with their names.
pub(super) fn rendered(template: &TaskTemplate) -> Vec<(String, &Text)> {
    let named = [
        ("promptTemplate", template.prompt_template.as_ref()),
        ("nameTemplate", template.name_template.as_ref()),
        ("branch", template.fields.branch.as_ref()),
    ];
    let named = named.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?)));
    let maps = template.metadata.iter().flat_map(|it| {
        [("metadata.labels", it.labels.as_ref()), ("metadata.annotations", it.annotations.as_ref())]
    });
    let maps = maps.flat_map(|(name, map)| {
        let entries = map.into_iter().flat_map(|it| &it.entries);
        entries.map(move |(key, text)| (format!("{name}.{key}"), text))
    });
    named.chain(maps).collect()
}

fn values(spec: &TaskSpawnerSpec) -> Values<'_> {
    let source = spec.when.sources().first().copied().unwrap_or_default();
    let names = match source {
        "githubWebhook" => GITHUB_WEBHOOK,
        "linearWebhook" => LINEAR_WEBHOOK,
        "webhook" => WEBHOOK,
        "slack" => SLACK,
        _ => POLLED,
    };
    let mapped = spec.when.webhook.iter().filter_map(|it| it.node.get("fieldMapping"));
    let mapped = mapped.flat_map(Node::entries).map(Entry::key);
    let contexts = spec.task_template.context_sources.iter().flat_map(|it| &it.items);
    Values {
        source,
        names: names.iter().copied().chain(mapped).collect(),
        contexts: contexts.filter_map(|it| it.node.str_at(&["name"])).collect(),
    }
}

/// The finding about a value that no event has.
fn unknown(values: &Values<'_>, field: &str, text: &Text, read: &Read) -> Option<Diagnostic> {
    let name = read.path.first()?.as_str();
    if name == CONTEXT {
        if field == "nameTemplate" {
            let message = "`nameTemplate` reads `.Context`, which only exists after the name";
            return Some(
                finding(text, message.to_owned())
                    .help("use a field of the event, such as `{{.ID}}`"),
            );
        }
        let source = read.path.get(1).filter(|it| !values.contexts.contains(&it.as_str()))?;
        let message =
            format!("the template `{field}` reads context source `{source}`, which does not exist");
        let help = did_you_mean(source, values.contexts.iter().copied());
        let help = help.unwrap_or_else(|| format!("add `{source}` to `contextSources`"));
        return Some(finding(text, message).help(help));
    }
    if values.names.contains(&name) {
        return None;
    }
    let source = values.source;
    let message =
        format!("the template `{field}` reads `.{name}`, which source `{source}` does not have");
    let help = did_you_mean(name, values.names.iter().copied());
    let help = help.unwrap_or_else(|| format!("use one of `.{}`", values.names.join("`, `.")));
    Some(finding(text, message).help(help))
}

fn context_sources(template: &TaskTemplate, sink: &mut Sink) {
    let sources = template.context_sources.as_ref().map_or(&[][..], |it| &it.items);
    let mut seen = BTreeMap::new();
    for name in sources.iter().filter_map(|it| it.node.get("name")) {
        let Some(first) = seen.insert(name.as_str().unwrap_or_default(), name.span()) else {
            continue;
        };
        let message = format!("duplicate context source `{}`", name.as_str().unwrap_or_default());
        sink.report(
            Diagnostic::new(&SPAWNER_TEMPLATE_INVALID, name.span(), message)
                .at("defined again here")
                .label(first, "first defined here")
                .help("rename one of them"),
        );
    }
}
