//! Checks the validation rules of a definition as the API server does.
//!
//! Follows `ValidateCustomResourceDefinitionOpenAPISchema` of apiextensions-apiserver's
//! `pkg/apis/apiextensions/validation`.

use super::{
    CEL_RULE_BROKEN, CEL_RULE_FIELD_INVALID, CEL_RULE_INVALID, CEL_RULE_NOT_CHECKED,
    CEL_RULE_TOO_EXPENSIVE, ObjectContext, shown_rule,
};
use crate::cel::{Program, Refusal};
use crate::crd::{Brackets, Breach, Rule, SchemaRules, resolve_path};
use crate::diag::{Diagnostic, Message, Sink, brief, message};
use crate::kube::Object;
use crate::sorted::SortedMap;
use crate::source::Span;
use crate::tree::{Node, Path, Value, items};
use crate::validate::fields::{entries, text_at, text_of, value_or_owner};

/// The cost limit of one rule for a whole object, in the units of the API server.
const RULE_LIMIT: u64 = 10_000_000;

/// The cost limit of all rules of a version.
const TOTAL_LIMIT: u64 = 100_000_000;

/// Checks the rules of all versions of a definition.
pub(in crate::validate::objects) fn check(cx: ObjectContext<'_>, object: &Object, sink: &mut Sink) {
    let group = text_at(&object.root, &["spec", "group"]);
    let kind = text_at(&object.root, &["spec", "names", "kind"]);
    let Some(kind) = cx.custom.find(group, kind) else { return };
    // Of two definitions of one kind only the last is used, and the other one is reported.
    if kind.definition != Some(object.name_span()) {
        return;
    }
    let root = Path::root();
    let spec = root.field("spec");
    let versions = spec.field("versions");
    let nodes = object.root.items_at(&["spec", "versions"]);
    // Of two versions with one name, the first one counts.
    let by_name: SortedMap<_, _> =
        kind.versions.iter().rev().map(|version| (version.name, version)).collect();
    for (index, node) in nodes.iter().enumerate() {
        let served = node.str_at(&["name"]).and_then(|name| by_name.get(name));
        let expressions = served.and_then(|version| version.expressions.as_ref());
        let schema = node.at(&["schema", "openAPIV3Schema"]);
        let (Some(expressions), Some(schema)) = (expressions, schema) else { continue };
        let version = versions.index(index);
        let below = version.field("schema");
        let mut judge = Judge { cx, sink, total: 0 };
        judge.place(&expressions.root, schema, &below.field("openAPIV3Schema"));
        judge.total(schema);
    }
}

struct Judge<'j> {
    cx: ObjectContext<'j>,
    sink: &'j mut Sink,
    /// The total cost of the rules so far that are within their own limit.
    total: u64,
}

impl Judge<'_> {
    fn place(&mut self, place: &SchemaRules, schema: &Node, path: &Path<'_>) {
        if let Some(default) = schema.get("default") {
            self.default(place, default, &path.field("default"));
        }
        let rules = items(schema, "x-kubernetes-validations");
        let validations = path.field("x-kubernetes-validations");
        for (index, (node, rule)) in rules.iter().zip(&place.rules).enumerate() {
            self.rule(place, schema, node, rule, &validations.index(index));
        }
        let properties = path.field("properties");
        for entry in entries(schema, "properties") {
            if let Some(below) = place.property(&entry.key) {
                self.place(below, &entry.value, &properties.key(&entry.key));
            }
        }
        let nested = [("items", place.items()), ("additionalProperties", place.values())];
        for (keyword, below) in nested {
            if let (Some(below), Some(schema)) = (below, schema.get(keyword)) {
                self.place(below, schema, &path.field(keyword));
            }
        }
    }

    /// Checks that a default satisfies the rules of its schema.
    fn default(&mut self, place: &SchemaRules, default: &Node, path: &Path<'_>) {
        place.run(default, path, self.cx.fuel, &mut |finding| {
            let rule = shown_rule(&finding.rule.text);
            let message = match &finding.breach {
                Breach::False(Some(message)) => {
                    message!("default violates a validation rule: {}", brief(message))
                }
                Breach::False(None) | Breach::TooLong => {
                    message!("default violates the validation rule `{rule}`")
                }
                Breach::NoValue(error) => message!("validation rule fails for a default: {error}"),
                Breach::NotChecked(_) => return,
            };
            self.sink.report(
                Diagnostic::new(&CEL_RULE_BROKEN, finding.span, message)
                    .at("the default value")
                    .label(finding.rule.place, "the rule")
                    .path(&finding.path),
            );
        });
    }

    fn rule(
        &mut self,
        place: &SchemaRules,
        schema: &Node,
        node: &Node,
        rule: &Rule,
        path: &Path<'_>,
    ) {
        self.texts(node, path);
        self.field_path(node, schema, path);
        if !place.is_visible() && !rule.text.is_empty() {
            let message = "validation rules cannot read this value: its schema has no `type`";
            let finding = Diagnostic::new(&CEL_RULE_INVALID, rule.place, message)
                .at("the type is unknown")
                .help("add `type` to the schema and the schemas in it");
            self.sink.report(finding.path(&path.field("rule")));
        }
        match &rule.program {
            Some(Err(refusal)) => self.refusal(refusal, "rule", node, path),
            Some(Ok(program)) => {
                self.release(program, "rule", node, path);
                self.cost(rule.cost, "rule", rule.place, path);
                self.update(place, program, node, path);
            }
            None => {}
        }
        // The API server only checks the message of a rule that compiles.
        if matches!(rule.program, Some(Err(_))) {
            return;
        }
        match &rule.message_program {
            Some(Err(refusal)) => self.refusal(refusal, "messageExpression", node, path),
            Some(Ok(program)) => {
                self.release(program, "messageExpression", node, path);
                let span = node.get("messageExpression").map_or(rule.place, Node::span);
                self.cost(program.cost, "messageExpression", span, path);
            }
            None => {}
        }
    }

    /// Checks the strings `rule`, `message` and `messageExpression`.
    fn texts(&mut self, node: &Node, path: &Path<'_>) {
        let mut report = |key: &str, message: Message, help: &'static str| {
            let span = node.get(key).map_or_else(|| node.span(), Node::span);
            self.sink.report(
                Diagnostic::new(&CEL_RULE_FIELD_INVALID, span, message)
                    .path(&path.field(key))
                    .help(help),
            );
        };
        let text = |key: &str| node.str_at(&[key]);
        let rule = text_at(node, &["rule"]).trim();
        let message = text_at(node, &["message"]);
        let has_line_break = |text: &str| text.trim().contains(['\n', '\r']);
        if rule.is_empty() {
            report(
                "rule",
                "validation rule has no expression".into(),
                "write an expression that evaluates to true",
            );
        } else if !message.is_empty() && message.trim().is_empty() {
            report(
                "message",
                "validation rule has an empty message".into(),
                "write a message, or remove the field",
            );
        } else if has_line_break(message) {
            report(
                "message",
                "message of a validation rule has several lines".into(),
                "write it on one line",
            );
        } else if has_line_break(rule) && message.trim().is_empty() {
            let message = "validation rule of several lines has no message".into();
            report(
                "rule",
                message,
                "add a `message`: the API server requires one for a rule of several lines",
            );
        }
        if text("messageExpression")
            .is_some_and(|expression| !expression.is_empty() && expression.trim().is_empty())
        {
            let message = "the expression for validation rule has an empty message".into();
            report("messageExpression", message, "write a message, or remove the field");
        }
    }

    fn field_path(&mut self, node: &Node, schema: &Node, path: &Path<'_>) {
        let Some(field) = node.get("fieldPath") else { return };
        let text = text_of(field);
        let wrong = if text.is_empty() {
            return;
        } else if text.trim().is_empty() {
            "is empty".to_owned()
        } else {
            match resolve_path(schema, text, Brackets::Allowed) {
                Ok(_) => return,
                Err(fault) => fault.to_string(),
            }
        };
        let message = message!("`fieldPath` of a validation rule {wrong}");
        self.sink.report(
            Diagnostic::new(&CEL_RULE_FIELD_INVALID, field.span(), message)
                .path(&path.field("fieldPath"))
                .help("write the path from the rule's schema to a field: `.size`"),
        );
    }

    fn refusal(&mut self, refusal: &Refusal, key: &str, node: &Node, path: &Path<'_>) {
        let text = value_or_owner(node, key);
        let span = self.part(text, refusal.at);
        let path = path.field(key);
        if refusal.is_undecided {
            let message =
                message!("validation rule is not checked: {} is not evaluated", refusal.message);
            let finding = Diagnostic::new(&CEL_RULE_NOT_CHECKED, span, message)
                .at("may be rejected; not checked for any object");
            self.sink.report(finding.path(&path));
            return;
        }
        let what = if key == "rule" { "the rule" } else { "the message expression" };
        let message = message!("{what} does not compile: {}", refusal.message);
        let finding = Diagnostic::new(&CEL_RULE_INVALID, span, message).at("here").path(&path);
        let help = refusal.near.as_ref().map(|near| message!("did you mean `{near}`?"));
        self.sink.report(finding.help_if(help));
    }

    /// Reports a function that is too new for the target.
    fn release(&mut self, program: &Program, key: &str, node: &Node, path: &Path<'_>) {
        let Some(newest) = &program.newest else { return };
        let target = self.cx.target;
        if newest.since <= u32::from(target.minor()) {
            return;
        }
        let function = &newest.function;
        let message = message!(
            "validation rule does not compile: `{function}` requires Kubernetes 1.{} or later",
            newest.since
        );
        let span = self.part(value_or_owner(node, key), newest.at);
        let finding = Diagnostic::new(&CEL_RULE_INVALID, span, message)
            .at(message!("not in {target}"))
            .path(&path.field(key));
        self.sink.report(finding);
    }

    fn cost(&mut self, cost: u64, key: &str, span: Span, path: &Path<'_>) {
        if cost <= RULE_LIMIT {
            self.total = self.total.saturating_add(cost);
            return;
        }
        let message = message!(
            "estimated cost of the validation rule is {} the limit of the API server",
            describe_factor(cost, RULE_LIMIT)
        );
        let finding = Diagnostic::new(&CEL_RULE_TOO_EXPENSIVE, span, message)
            .at("too expensive for the largest object")
            .path(&path.field(key))
            .help("set `maxItems`, `maxProperties` or `maxLength` on the values that it reads and on their parents");
        self.sink.report(finding);
    }

    fn total(&mut self, schema: &Node) {
        if self.total <= TOTAL_LIMIT {
            return;
        }
        let message = message!(
            "estimated cost of all validation rules of this version is {} the limit of the API server",
            describe_factor(self.total, TOTAL_LIMIT)
        );
        let span = value_or_owner(schema, "x-kubernetes-validations").span().start_point();
        let finding = Diagnostic::new(&CEL_RULE_TOO_EXPENSIVE, span, message)
            .at("the schema")
            .help("limit the values that they read and the values around them: `maxItems`, `maxProperties`, `maxLength`");
        self.sink.report(finding);
    }

    /// Checks the use of `oldSelf` and `optionalOldSelf`.
    fn update(&mut self, place: &SchemaRules, program: &Program, node: &Node, path: &Path<'_>) {
        if program.uses_old && place.is_uncorrelatable {
            let rule = value_or_owner(node, "rule");
            let message =
                "validation rule uses `oldSelf` where old and new values cannot be matched";
            let finding = Diagnostic::new(&CEL_RULE_INVALID, rule.span(), message)
                .at("inside a list that is not a map")
                .path(&path.field("rule"))
                .help("give the list `x-kubernetes-list-type: map`, or move the rule above it");
            self.sink.report(finding);
        }
        if let Some(option) = node.get("optionalOldSelf").filter(|_| !program.uses_old) {
            let message = "`optionalOldSelf` is set for a validation rule without `oldSelf`";
            let finding = Diagnostic::new(&CEL_RULE_FIELD_INVALID, option.span(), message)
                .path(&path.field("optionalOldSelf"))
                .help("remove it");
            self.sink.report(finding);
        }
    }

    /// The span of a part of an expression; the whole expression if its source is escaped or
    /// folded.
    fn part(&self, text: &Node, at: usize) -> Span {
        let span = text.span();
        let Value::String(value) = &text.value else { return span };
        let written = self.cx.texts.slice(span);
        let quoted = written.get(1..written.len().saturating_sub(1));
        let offset = if written == value.as_str() {
            at
        } else if quoted == Some(value.as_str()) {
            at + 1
        } else {
            return span;
        };
        let Some(rest) = written.get(offset..) else { return span };
        match part_length(rest) {
            0 => span,
            length => span.part(offset..offset + length),
        }
    }
}

/// The length of the name, the string or the operator at the start of an expression.
fn part_length(rest: &str) -> usize {
    let end_of = |rest: &str, is_inside: fn(char) -> bool| {
        rest.find(|c| !is_inside(c)).unwrap_or(rest.len())
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match rest.chars().next() {
        Some(quote @ ('\'' | '"')) => {
            rest.get(1..).and_then(|it| it.find(quote)).map_or(1, |end| end + 2)
        }
        Some('.') => 1 + rest.get(1..).map_or(0, |name| end_of(name, is_word)),
        Some(first) if is_word(first) => end_of(rest, is_word),
        Some(first) => end_of(rest, |c| "=!<>&|+-*/%".contains(c)).max(first.len_utf8()),
        None => 0,
    }
}

/// Describes by how much a cost exceeds its limit.
fn describe_factor(cost: u64, limit: u64) -> String {
    let tenths = cost.saturating_mul(10) / limit;
    match tenths {
        0..=10 => "a little more than".to_owned(),
        11..=1000 => format!("{}.{} times", tenths / 10, tenths % 10),
        _ => "more than 100 times".to_owned(),
    }
}
