//! `Veil`: which values of a tree are secret, from the position of each.

use super::names::{Sign, Signs};
use super::signs::{holds_secret, is_credential, is_shouted};
use crate::schema;
use crate::tree::{Entry, Node, Value};

/// Keys of a Secret whose values are not secrets.
const ENVELOPE: [&str; 7] =
    ["apiVersion", "immutable", "kind", "metadata", "name", "namespace", "type"];

/// Fields of the metadata of a Secret. Another one is a key of its data without the line before it.
const METADATA: [&str; 15] = [
    "annotations",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "labels",
    "managedFields",
    "name",
    "namespace",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Fields of an item of kustomize's `secretGenerator` without values.
const GENERATOR: [&str; 7] = ["behavior", "envs", "files", "name", "namespace", "options", "type"];

/// Fields of the template of a custom resource for Secrets that Secrets do not have.
const TEMPLATE: [&str; 3] = ["engineVersion", "mergePolicy", "templateFrom"];

/// Whether the values of an object are secret, at one position of a walk from its root: the data of a
/// Secret, wherever it is, `{name: DB_PASSWORD, value: ...}` anywhere, the entries of maps called
/// `env` or `headers`, and strings of fields called `password`.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Veil {
    place: Place,
    /// The value is a secret, with everything below it.
    is_secret: bool,
    /// It is in a custom resource for Secrets, or in a template.
    is_of_template: bool,
    /// It has the names and values of environment variables or of headers.
    is_environment: bool,
}

/// What a position means for the values below it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Place {
    #[default]
    Any,
    /// The root of an object.
    Root,
    /// A value called `secret`.
    CalledSecret,
    /// The root of an object in a `SecretList`.
    Secret,
    /// The items of a `SecretList`.
    Secrets,
    /// The metadata of a Secret.
    Metadata,
    /// The annotations or labels of a Secret.
    Words,
    /// Values of a Secret that are not secret, and what is below them.
    Envelope,
    /// The data of a Secret, whose keys are not secret.
    Data,
    /// The items of kustomize's `secretGenerator`, or one of them.
    Generator,
    /// Those of another generator.
    OtherGenerator,
    /// The template of a Secret in a custom resource for Secrets.
    Template,
}

/// The position of a map, from which that of each of its values follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inside {
    veil: Veil,
    form: Form,
    /// Its `name`, or another field, looks like a credential.
    has_credential: bool,
    /// It is a part of a template whose data has no value: its lines are next to it.
    has_lost_data: bool,
}

/// What a map is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Any,
    Secret,
    /// It can be a Secret: it has no known kind.
    Unknown,
    SecretList,
    /// A custom resource for Secrets, such as `SealedSecret`.
    OfSecrets,
}

impl Veil {
    /// At the root of an object, or of another value.
    pub(crate) fn of_root() -> Self {
        Self { place: Place::Root, ..Self::default() }
    }

    /// In a map, where this is its position.
    pub(crate) fn inside(self, map: &Node) -> Inside {
        let kind = map.str_at(&["kind"]);
        let is_of_secret = || kind.is_some_and(is_near_secret);
        let form = match self.place {
            _ if self.is_of_template && is_of_secret() => Form::Secret,
            Place::Root | Place::Any | Place::CalledSecret if !self.is_secret => {
                form_of(map, self.place == Place::Root)
            }
            Place::Secret | Place::Secrets if map.as_map().is_some() => Form::Secret,
            _ => Form::Any,
        };
        let names = map.entries().iter().filter_map(|entry| {
            let name = entry.value.as_str()?;
            (entry.key == "name" || is_identifier(name)).then_some((entry.key.as_str(), name))
        });
        // An item of `env` whose name was lost, or whose value was moved next to `env`.
        let has_key = |is_it: fn(&str) -> bool| map.entries().iter().any(|entry| is_it(&entry.key));
        let is_nameless = map.str_at(&["name"]).is_none()
            && has_key(|key| key == "value" || key.ends_with(" value"))
            && (self.is_environment || has_key(is_called_environment));
        let has_credential = is_nameless
            || map.entries().len() > 1
                && names.into_iter().any(|(key, name)| match key {
                    "name" => Signs::of(name).has(Sign::Credential),
                    _ => is_shouted(name) && is_credential(name) && !is_value(key),
                });
        // An object in a template is not one.
        let is_other = form == Form::Any && kind.is_some();
        let veil = Self { is_of_template: self.is_of_template && !is_other, ..self };
        let is_lost = |entry: &Entry| is_near_data(&entry.key) && entry.value.is_null();
        let has_lost_data =
            (veil.is_of_template || form == Form::OfSecrets) && map.entries().iter().any(is_lost);
        let is_custom = |kind: &str| schema::store::kinds_named(kind).is_empty();
        // A custom resource has `spec` and `status`: a line next to them was moved.
        let has_moved_line =
            self.place == Place::Root && map.get("spec").is_some() && kind.is_some_and(is_custom);
        let has_lost_data = has_lost_data || has_moved_line;
        Inside { veil, form, has_credential, has_lost_data }
    }

    /// At an item of a list at this position.
    pub(crate) const fn item(self) -> Self {
        let place = match self.place {
            Place::Secrets => Place::Secret,
            Place::Generator | Place::OtherGenerator => self.place,
            Place::Envelope => Place::Envelope,
            _ => Place::Any,
        };
        Self { place, ..self }
    }

    /// Whether the value is secret, wherever it is.
    pub(crate) const fn hides(self) -> bool {
        self.is_secret
    }

    /// Whether everything here is secret, with the keys below it.
    pub(super) fn hides_keys(self) -> bool {
        self.is_secret && self.place != Place::Data
    }

    /// Whether a value here is secret as a whole: the keys of the data of a Secret are names, unless one
    /// cannot be.
    pub(crate) fn hides_all(self, node: &Node) -> bool {
        let is_name = |entry: &Entry| is_plain(&entry.key) && !entry.value.is_null();
        self.hides_keys() || self.is_secret && !node.entries().iter().all(is_name)
    }

    /// Whether this scalar is secret: here, or because it holds a secret.
    pub(crate) fn hides_scalar(self, node: &Node) -> bool {
        // An object or an item with values, but one of them was written there.
        let is_stray = matches!(self.place, Place::Secret | Place::Secrets | Place::Generator);
        self.is_secret || is_stray || node.as_str().is_some_and(holds_secret)
    }

    /// Whether only a plain value is shown here, because it is in a Secret.
    pub(super) fn is_in_secret(self) -> bool {
        matches!(self.place, Place::Metadata | Place::Words | Place::Envelope)
    }
}

impl Inside {
    /// At the value under a key.
    pub(crate) fn below(self, key: &str, value: Option<&Node>) -> Veil {
        let Self { veil, form, has_credential, has_lost_data } = self;
        let signs = Signs::of(key);
        let is_data = match (form, veil.place) {
            // A misspelled field has values as well.
            (Form::Secret, _) => !is_of_envelope(key),
            (_, Place::Metadata) => !METADATA.contains(&key),
            // A line of the data that was moved by mistake.
            (_, Place::Words) => true,
            (_, Place::Template) => !signs.has(Sign::FieldOrKind) && !TEMPLATE.contains(&key),
            (_, Place::Envelope) => false,
            (_, Place::Generator) => !GENERATOR.contains(&key),
            (Form::Unknown, _) => signs.has(Sign::Data),
            _ => false,
        };
        // Of all kinds, only Secret has this field, and only generators have literals.
        let is_data = is_data
            || signs.has(Sign::StringData)
            || key.contains(' ') && signs.has(Sign::Data)
            || signs.has(Sign::Literals) && veil.place != Place::OtherGenerator
            || (veil.is_of_template || form == Form::OfSecrets)
                && signs.has(Sign::Data)
                && value.is_some_and(is_no_list)
            || (has_lost_data || form == Form::OfSecrets) && !signs.has(Sign::FieldOrKind);
        let place = match (form, veil.place, key) {
            _ if is_data && !veil.is_secret => Place::Data,
            (Form::Secret, _, "metadata") => Place::Metadata,
            (_, Place::Metadata, "annotations" | "labels") => Place::Words,
            (Form::Secret, ..) | (_, Place::Metadata | Place::Words | Place::Envelope, _) => {
                Place::Envelope
            }
            (Form::SecretList, _, "items") => Place::Secrets,
            (_, _, "secretGenerator") => Place::Generator,
            (_, Place::Any | Place::Root, "configMapGenerator") | (_, Place::OtherGenerator, _) => {
                Place::OtherGenerator
            }
            (form, ..) if key == "template" && (veil.is_of_template || form == Form::OfSecrets) => {
                Place::Template
            }
            _ if signs.has(Sign::Secret) => Place::CalledSecret,
            _ => Place::Any,
        };
        let is_template = key == "template" || key == "secretTemplates" || form == Form::OfSecrets;
        Veil {
            place,
            is_secret: is_data
                || veil.is_secret
                || has_credential && (is_value(key) || key.is_empty())
                || veil.is_environment && signs.has(Sign::Credential)
                || veil.place == Place::CalledSecret && is_value(key)
                || matches!(place, Place::Any | Place::CalledSecret)
                    && signs.has(Sign::EndsAsCredential)
                    && value.is_some_and(is_string_or_number),
            is_of_template: veil.is_of_template || is_template,
            is_environment: key == "headers" || is_called_environment(key),
        }
    }

    /// Whether values in the map are secret.
    pub(super) fn has_secrets(self) -> bool {
        self.is_object()
            || self.has_credential
            || matches!(self.veil.place, Place::Metadata | Place::Words | Place::Generator)
    }

    /// Whether it is an object with secret values.
    pub(super) fn is_object(self) -> bool {
        matches!(self.form, Form::Secret | Form::SecretList)
    }
}

/// What a map is, at the root or below it.
fn form_of(map: &Node, is_root: bool) -> Form {
    let entries = map.entries();
    let is_object = || is_root || map.get("metadata").or_else(|| map.get("apiVersion")).is_some();
    let Some(kind) = map.str_at(&["kind"]) else {
        let is_kind = |entry: &Entry| {
            Signs::of(&entry.key).has(Sign::Kind)
                && entry.value.as_str().is_some_and(is_near_secret)
        };
        return match () {
            () if entries.iter().any(is_kind) => Form::Secret,
            () if is_object() => Form::Unknown,
            () => Form::Any,
        };
    };
    if is_near_secret(kind) {
        // A reference has a kind too.
        let is_it = is_object() || entries.iter().any(|it| is_near_data(&it.key));
        return if is_it { Form::Secret } else { Form::Any };
    }
    match kind.strip_suffix("List") {
        Some(items) if is_near_secret(items) => Form::SecretList,
        _ if kind.contains("Secret") => Form::OfSecrets,
        _ if is_object() && schema::store::kinds_named(kind).is_empty() => Form::Unknown,
        _ => Form::Any,
    }
}

/// Whether a text is one word, perhaps in quotes: the value of a field in a Secret that is not secret,
/// or a key of its data.
pub(crate) fn is_plain(text: &str) -> bool {
    /// The length of a name in Kubernetes.
    const LONGEST: usize = 253;
    let text = text.trim_matches(['"', '\'']);
    let is_part = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-' | b'.' | b'/');
    text.len() <= LONGEST && text.bytes().all(is_part)
}

/// Whether a key is `env`, or another name of environment variables: `extraEnv`.
fn is_called_environment(key: &str) -> bool {
    key.ends_with("env") || key.ends_with("Env") || key.ends_with("EnvVars")
}

/// Whether a field of a Secret contains no secret, even if its case is wrong.
fn is_of_envelope(key: &str) -> bool {
    ENVELOPE.iter().any(|it| it.eq_ignore_ascii_case(key))
}

/// Whether a value is data. A list has references to it.
fn is_no_list(value: &Node) -> bool {
    !matches!(value.value, Value::List(_))
}

fn is_string_or_number(value: &Node) -> bool {
    !matches!(value.value, Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_))
}

/// Whether a kind is that of a Secret, perhaps with a typo.
fn is_near_secret(kind: &str) -> bool {
    Signs::of(kind).has(Sign::Secret)
}

fn is_near_data(key: &str) -> bool {
    Signs::of(key).has(Sign::Data)
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'-'))
}

/// Whether a field next to `name` contains its value: `value`, a typo of it, or another word for
/// it. Other fields are excluded, because volumes, references and mounts have names as well.
fn is_value(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    // Another character in the indentation is a part of the key.
    let is_near =
        |word: &str| strsim::damerau_levenshtein(word, "value") <= 2 || word.starts_with("val");
    let is_other = ["content", "data", "default", "literal", "plain", "string", "text"]
        .iter()
        .any(|word| key.contains(word));
    (key.split(' ').any(is_near) || is_other)
        && !["defaultmode", "securitycontext", "valuefrom"].contains(&&*key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_hides_secret_values() {
        fn hidden(node: &Node, veil: Veil, found: &mut Vec<String>) {
            for entry in node.entries() {
                let below = veil.inside(node).below(&entry.key, Some(&entry.value));
                hidden(&entry.value, below, found);
            }
            node.items().iter().for_each(|item| hidden(item, veil.item(), found));
            found.extend(node.as_str().filter(|_| veil.hides_scalar(node)).map(ToOwned::to_owned));
        }
        let json = |text: &str| {
            let json = serde_json::from_str(text).unwrap();
            Node::from_json(
                json,
                crate::tree::Origin::source(crate::source::Workspace::new().start()),
            )
        };
        for (object, secret) in [
            (r#"{"kind": "Secret", "data": {"a": "x"}, "type": "Opaque"}"#, &["x"][..]),
            (r#"{"kind": "Secret", "stringData": {"a": "x"}}"#, &["x"]),
            (r#"{"kind": "Secret", "sringData": {"a": "x"}, "Type": "Opaque"}"#, &["x"]),
            (r#"{"kind": "Secet", "stringData": {"a": "x"}, "spec": "y"}"#, &["x", "y"]),
            (r#"{"knd": "Secret", "data": {"a": "x"}, "type": "y"}"#, &["Secret", "x"]),
            (r#"{"kind": "", "data": {"a": "x"}, "spec": "y"}"#, &["x"]),
            (r#"{"kind": "Sekret", "dta": {"a": "x"}}"#, &["x"]),
            (r#"{"kind": "Own", "data": {"a": "x"}, "spec": {"a": "y"}}"#, &["x"]),
            (r#"[{"kind": "Secret", "metadata": {}, "data": {"a": "x"}}]"#, &["x"]),
            (r#"{"kind": "SecretList", "items": [{"data": {"a": "x"}}]}"#, &["x"]),
            (r#"{"kind": "Pod", "spec": {"kind": "Secret", "name": "a", "key": "b"}}"#, &[]),
            (
                r#"{"kind": "ManifestWork", "spec": {"workload": {"manifests": [
                    {"kind": "Secret", "metadata": {"name": "s"}, "stringData": {"a": "x"}},
                    {"kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "y"}}]}}}"#,
                &["x"],
            ),
            (r#"{"kind": "SealedSecret", "spec": {"template": {"data": {"a": "x"}}}}"#, &["x"]),
            (
                r#"{"kind": "ExternalSecret", "spec": {"data": [{"secretKey": "y"}],
                    "target": {"template": {"data": {"a": "x"}}}}}"#,
                &["x"],
            ),
            (
                r#"{"kind": "ResourceGraphDefinition", "spec": {"resources": [
                    {"template": {"apiVersion": "v1", "kind": "Secret", "data": {"a": "x"}}},
                    {"template": {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "y"}}}]}}"#,
                &["x"],
            ),
            (
                r#"{"kind": "ConfigMap", "data": {"a": "kind: Secret\ndata: {}"}}"#,
                &["kind: Secret\ndata: {}"],
            ),
            (
                r#"{"secretGenerator": [{"name": "a", "literals": ["a=x"]}],
                    "configMapGenerator": [{"literals": ["b=y"]}]}"#,
                &["a=x"],
            ),
            (r#"{"kind": "Values", "auth": {"rootPassword": "x", "existingSecret": "y"}}"#, &["x"]),
            (
                r#"{"env": [{"nme": "API_TOKEN", "value": "x"}, {"name": "API_TOKN", "value": "y"}]}"#,
                &["x", "y"],
            ),
            (r#"{"kind": "ConfigMap", "data": {"a": "x"}}"#, &[]),
            (
                r#"{"kind": "Secret", "metadata": {"annotations": {"a": "y",
                    "kubectl.kubernetes.io/last-applied-configuration": "x"}}}"#,
                &["y", "x"],
            ),
            (
                r#"{"spec": {"env": [{"name": "API_TOKEN", "value": "x"}, {"name": "A", "value": "y"}]}}"#,
                &["x"],
            ),
            (r#"{"spec": {"env": {"API_TOKEN": "x", "A": "y"}}}"#, &["x"]),
            (r#"{"env": [{"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "z"}}}]}"#, &[]),
        ] {
            let (root, mut found) = (json(object), Vec::new());
            hidden(&root, Veil::of_root(), &mut found);
            assert_eq!(found, secret, "{object}");
        }
    }

    #[test]
    fn fields_next_to_a_name_are_values_if_they_are_called_so() {
        for (field, is_it) in [
            ("value", true),
            ("vlaue", true),
            ("stringValue", true),
            ("text", true),
            ("valueFrom", false),
            ("securityContext", false),
            ("defaultMode", false),
            ("volumes", false),
        ] {
            assert_eq!(is_value(field), is_it, "{field}");
        }
    }
}
