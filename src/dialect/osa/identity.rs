//! The identity of a Job, which distinguishes its run from every other one, as labels, a selector
//! and a name.
//!
//! The server finds a Job of an earlier attempt by its labels, and then uses its result. So every
//! difference between two runs must be in a label. The readable labels are the server's own;
//! `osa.io/identity` covers all components, with their full values.

use super::srn::Srn;
use crate::scalar::{check_label_value, sha256_hex, shortened};
use crate::source::Slice as _;

/// The limit of a label value and, because Pods carry it as a label, of a Job's name.
const LIMIT: usize = 63;
/// The number of hex digits of the identity at the end of a Job's name.
const NAME_SUFFIX: usize = 8;
/// The number of hex digits of the identity in the label: 128 bits.
const LABEL_DIGITS: usize = 32;
const DIGEST_ANNOTATION: &str = "osa.io/image-digest";

/// Whether a Job validates records, or fetches them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A hook: validates a deposition or a batch of records, without network.
    Hook,
    /// A source, which the server calls an ingester: fetches records over the network.
    Source,
}

impl Role {
    /// The kind of the definition.
    pub(super) const fn kind(self) -> &'static str {
        match self {
            Self::Hook => "Hook",
            Self::Source => "Source",
        }
    }

    /// The value of the label `osa.io/role`, the name of the container, and a part of the Job's name.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::Source => "ingester",
        }
    }
}

/// The convention of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Convention {
    /// Its slug.
    Slug(String),
    /// Its versioned resource name.
    Srn(Srn),
}

/// The components that distinguish a run.
#[derive(Clone, Debug)]
pub(super) struct Identity<'i> {
    /// Hook or source.
    pub(super) role: Role,
    /// Name of the hook.
    pub(super) hook: Option<&'i str>,
    /// The deposition that a hook validates.
    pub(super) deposition: Option<&'i Srn>,
    /// The convention of a source.
    pub(super) convention: Option<&'i Convention>,
    /// Id of the ingest run.
    pub(super) run: Option<&'i str>,
    /// Index of the batch in its run.
    pub(super) batch: Option<u32>,
    /// Digest of the image.
    pub(super) digest: &'i str,
}

/// The label with the role, which the isolation of hooks selects by.
pub(super) const ROLE_LABEL: &str = "osa.io/role";

/// A label of a Job and its Pod.
#[derive(Clone, Debug)]
pub(super) struct Label {
    /// `osa.io/hook`.
    pub(super) key: &'static str,
    /// A valid label value.
    pub(super) value: String,
    /// The complete value.
    whole: String,
    /// The annotation with the complete value, if the label value differs from it.
    annotation: &'static str,
}

impl Label {
    /// A label with the complete value, or one derived from it.
    fn new(key: &'static str, whole: String) -> Self {
        Self { key, value: label_value(&whole, &whole), whole, annotation: key }
    }

    fn of_srn(key: &'static str, srn: &Srn) -> Self {
        Self { key, value: srn_label_value(srn), whole: srn.to_string(), annotation: key }
    }
}

impl Identity<'_> {
    /// The labels of the Job and its Pod.
    pub(super) fn labels(&self) -> Vec<Label> {
        let mut labels = vec![Label::new(ROLE_LABEL, self.role.as_str().to_owned())];
        if self.role == Role::Source {
            let value = label_value(&self.digest.replacen(':', ".", 1), self.digest);
            let whole = self.digest.to_owned();
            labels.push(Label {
                key: "osa.io/digest",
                value,
                whole,
                annotation: DIGEST_ANNOTATION,
            });
        }
        labels.extend(self.hook.map(|hook| Label::new("osa.io/hook", hook.to_owned())));
        labels.extend(self.deposition.map(|deposition| Label {
            annotation: "osa.io/subject",
            ..Label::of_srn("osa.io/deposition", deposition)
        }));
        labels.extend(self.convention.map(|convention| match convention {
            Convention::Slug(slug) => Label::new("osa.io/convention", slug.clone()),
            Convention::Srn(srn) => Label::of_srn("osa.io/convention", srn),
        }));
        if let Some(run) = self.run.map(str::to_owned).or_else(|| self.deposition.map(Srn::run_id))
        {
            labels.push(Label::new("osa.io/ingest-run-id", run));
            let batch = self.batch.unwrap_or(0).to_string();
            labels.push(Label::new("osa.io/ingest-run-batch", batch));
        }
        let hash = self.hash();
        let identity = hash.slice(..LABEL_DIGITS).to_owned();
        labels.push(Label::new("osa.io/identity", identity));
        labels
    }

    /// The annotations of the Job: the digest, each value that does not fit a label, and the
    /// selector of the Job.
    pub(super) fn annotations(&self) -> Vec<(&'static str, String)> {
        let mut annotations = vec![(DIGEST_ANNOTATION, self.digest.to_owned())];
        for Label { value, whole, annotation, .. } in self.labels() {
            if value != whole && annotation != DIGEST_ANNOTATION {
                annotations.push((annotation, whole));
            }
        }
        annotations.push(("osa.io/selector", self.selector()));
        annotations
    }

    /// The selector that finds the Jobs of this run and no others.
    pub(super) fn selector(&self) -> String {
        let labels = self.labels();
        let terms: Vec<_> =
            labels.iter().map(|label| format!("{}={}", label.key, label.value)).collect();
        terms.join(",")
    }

    /// Name of the Job: `osa-hook-<hook>-<run>-<identity>`. A long name is truncated before the
    /// identity.
    pub(super) fn job_name(&self) -> String {
        let start = format!("osa-{}-{}", self.role.as_str(), self.readable());
        let mut name = String::with_capacity(LIMIT);
        for character in start.to_lowercase().chars() {
            let plain = if character.is_ascii_alphanumeric() { character } else { '-' };
            if plain != '-' || !name.ends_with('-') {
                name.push(plain);
            }
        }
        name.truncate(LIMIT - NAME_SUFFIX - 1);
        let hash = self.hash();
        let suffix = hash.slice(..NAME_SUFFIX);
        format!("{}-{suffix}", name.trim_end_matches('-'))
    }

    /// The part of a name that the server derives from a run.
    fn readable(&self) -> String {
        if self.role == Role::Source {
            return match self.convention {
                Some(Convention::Slug(slug)) => format!("ing-{slug}"),
                Some(Convention::Srn(srn)) => format!("ing-{}", srn.last_part()),
                None => "ing-unknown".to_owned(),
            };
        }
        let batch = self.batch.map_or_else(String::new, |batch| format!("_b{batch}"));
        let run = match (self.run, self.deposition) {
            (Some(run), _) => run.to_owned(),
            (None, Some(deposition)) => deposition.run_id(),
            (None, None) => "unknown".to_owned(),
        };
        let run_name = run.rsplit_once(':').map_or(run.as_str(), |(_, name)| name);
        format!("{}-{run_name}{batch}", self.hook.unwrap_or(""))
    }

    /// The hash of all components, including absent ones.
    fn hash(&self) -> String {
        let convention = self.convention.map(|convention| match convention {
            Convention::Slug(slug) => slug.clone(),
            Convention::Srn(srn) => srn.to_string(),
        });
        let components = [
            ("role", Some(self.role.as_str().to_owned())),
            ("hook", self.hook.map(str::to_owned)),
            ("deposition", self.deposition.map(Srn::to_string)),
            ("convention", convention),
            ("run", self.run.map(str::to_owned)),
            ("batch", self.batch.map(|it| it.to_string())),
            ("digest", Some(self.digest.to_owned())),
        ];
        // Quoted, so that no value can be read as two components.
        let lines = components.map(|(name, value)| match value {
            Some(value) => format!("{name}={value:?}\n"),
            None => format!("{name}=none\n"),
        });
        sha256_hex(&lines.concat())
    }
}

/// The label value of a resource name.
fn srn_label_value(srn: &Srn) -> String {
    let compact = srn.compact();
    if srn.is_compact_form_unique() {
        label_value(&compact, &srn.to_string())
    } else {
        shortened(&sanitize(&compact), &srn.to_string(), LIMIT)
    }
}

/// `text` if it is a label value, else its readable start and a hash of `whole`.
fn label_value(text: &str, whole: &str) -> String {
    if !text.is_empty() && check_label_value(text).is_ok() {
        text.to_owned()
    } else {
        shortened(&sanitize(text), whole, LIMIT)
    }
}

/// Replaces invalid characters of a label value, and each run of punctuation, with a dot, as the
/// server does.
fn sanitize(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut run = String::new();
    let end_run = |value: &mut String, run: &mut String| {
        if !value.is_empty() {
            value.push_str(if run.len() > 1 { "." } else { run });
        }
        run.clear();
    };
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            end_run(&mut value, &mut run);
            value.push(character);
        } else {
            run.push(if matches!(character, '-' | '_') { character } else { '.' });
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    const DIGEST: &str = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    fn source<'i>(
        convention: Option<&'i Convention>,
        run: Option<&'i str>,
        digest: &'i str,
    ) -> Identity<'i> {
        let role = Role::Source;
        Identity { role, hook: None, deposition: None, convention, run, batch: Some(0), digest }
    }

    fn hook<'i>(hook: &'i str, run: &'i str, batch: Option<u32>) -> Identity<'i> {
        Identity {
            role: Role::Hook,
            hook: Some(hook),
            deposition: None,
            convention: None,
            run: Some(run),
            batch,
            digest: DIGEST,
        }
    }

    fn label<'l>(labels: &'l [Label], key: &str) -> &'l str {
        labels.iter().find(|label| label.key == key).map_or("absent", |it| &it.value)
    }

    /// Recorded from the server's `sanitize_label`; it also strips the end, which `shortened` does.
    #[test]
    fn sanitizes_as_the_server_does() {
        for (text, value) in [
            ("a::b", "a.b"),
            ("a/b", "a.b"),
            ("a--b", "a.b"),
            ("a_-b", "a.b"),
            ("-x-", "x"),
            ("::::", ""),
            ("a-b_c.d", "a-b_c.d"),
            ("sha256:ab", "sha256.ab"),
        ] {
            assert_eq!(sanitize(text), value, "{text}");
        }
    }

    #[test]
    fn labels_match_the_server() {
        let deposition = Srn::deposition("urn:osa:localhost:dep:abc123").expect("a name");
        let identity =
            Identity { run: None, deposition: Some(&deposition), ..hook("check", "", None) };
        let labels = identity.labels();
        let expected = [
            ("osa.io/role", "hook"),
            ("osa.io/hook", "check"),
            ("osa.io/deposition", "localhost.dep.abc123"),
            ("osa.io/ingest-run-id", "localhost_abc123"),
            ("osa.io/ingest-run-batch", "0"),
        ];
        for (key, value) in expected {
            assert_eq!(label(&labels, key), value, "{key}");
        }
        let srn = Srn::convention("urn:osa:archive.example.org:conv:geo-series@2.1.0");
        let convention = Convention::Srn(srn.expect("a name"));
        let labels = source(Some(&convention), None, DIGEST).labels();
        let value = "archive.example.org.conv.geo-series.2.1.0";
        assert_eq!(label(&labels, "osa.io/convention"), value);
        assert!(label(&labels, "osa.io/digest").starts_with("sha256.0123456789abcdef"));
    }

    /// Sources under one convention with different images must not find each other's Jobs.
    #[test]
    fn each_component_changes_selector_and_name() {
        let deposition = Srn::deposition("urn:osa:localhost:dep:abc123").expect("a name");
        let slug = Convention::Slug("geo".into());
        let base = hook("check", "r1", Some(1));
        let others = [
            base.clone(),
            Identity { role: Role::Source, ..base.clone() },
            Identity { hook: Some("other"), ..base.clone() },
            Identity { hook: None, ..base.clone() },
            Identity { deposition: Some(&deposition), ..base.clone() },
            Identity { convention: Some(&slug), ..base.clone() },
            Identity { run: Some("r2"), ..base.clone() },
            Identity { run: None, ..base.clone() },
            Identity { batch: Some(2), ..base.clone() },
            Identity { batch: None, ..base.clone() },
            Identity { digest: "sha256:ff", ..base },
        ];
        let selectors: BTreeSet<_> = others.iter().map(Identity::selector).collect();
        let names: BTreeSet<_> = others.iter().map(Identity::job_name).collect();
        assert_eq!((selectors.len(), names.len()), (others.len(), others.len()));
    }

    #[test]
    fn names_match_the_server() {
        for (identity, start) in [
            (hook("validate_dna", "run-abc123", None), "osa-hook-validate-dna-run-abc123-"),
            (hook("a", "r", Some(7)), "osa-hook-a-r-b7-"),
            (source(None, None, DIGEST), "osa-ingester-ing-unknown-"),
        ] {
            let name = identity.job_name();
            let suffix = name.strip_prefix(start).expect("the start");
            assert_eq!(suffix.len(), 8, "{name}");
        }
    }

    proptest! {
        #[test]
        fn labels_and_names_are_valid(name in "[a-z][a-z0-9_]{0,80}", run in "\\PC{1,90}", batch in any::<u32>()) {
            let identity = hook(&name, &run, Some(batch));
            for Label { key, value, whole, annotation } in identity.labels() {
                prop_assert!(!value.is_empty());
                prop_assert_eq!(check_label_value(&value), Ok(()), "{}: {}", key, value);
                let annotations = identity.annotations();
                prop_assert!(value == whole || annotations.contains(&(annotation, whole)));
            }
            let job = identity.job_name();
            prop_assert!(job.len() <= LIMIT);
            prop_assert_eq!(crate::scalar::check_service_name(&job), Ok(()));
        }

        #[test]
        fn two_runs_that_differ_have_different_labels(a in "\\PC{1,90}", b in "\\PC{1,90}") {
            let value = |run| label(&hook("check", run, None).labels(), "osa.io/ingest-run-id").to_owned();
            prop_assert_eq!(value(&a) == value(&b), a == b);
        }

        #[test]
        fn a_last_character_that_differs_is_seen(start in "[a-z]{100}", a in "[a-z]", b in "[a-z]") {
            let (a, b) = (format!("{start}{a}"), format!("{start}{b}"));
            let (one, other) = (hook("check", &a, None), hook("check", &b, None));
            prop_assert_eq!(one.job_name() == other.job_name(), a == b);
            prop_assert_eq!(one.selector() == other.selector(), a == b);
        }
    }
}
