//! What a change of a `CustomResourceDefinition` means for the objects that are stored. The expected
//! facts are those of Kubernetes' apiextensions-apiserver: pruning and defaults on reads, validation
//! with ratcheting on updates, conversion by version.

use sandboxc::{Effect, Paint, render_diff_human, render_diff_json, render_diff_markdown};

use super::compared;

/// A definition with these versions.
fn definition(versions: &[String], rest: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
         metadata: {{name: widgets.example.com}}\nspec:\n  group: example.com\n  scope: Namespaced\n  \
         names: {{kind: Widget, plural: widgets}}\n  {rest}\n  versions:\n{}",
        versions.concat()
    )
}

fn version(name: &str, state: &str, spec: &str) -> String {
    format!(
        "  - name: {name}\n    {state}\n    schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {spec}}}}}}}\n"
    )
}

const STORED: &str = "served: true\n    storage: true";
const SERVED: &str = "served: true\n    storage: false";
const UNSERVED: &str = "served: false\n    storage: false";

/// A definition with one version whose `spec` has these properties.
fn with_properties(properties: &str) -> String {
    let spec = format!("{{type: object, properties: {{{properties}}}}}");
    definition(&[version("v1", STORED, &spec)], "")
}

fn with_spec(spec: &str) -> String {
    definition(&[version("v1", STORED, &format!("{{type: object, {spec}}}"))], "")
}

#[track_caller]
fn facts(old: &str, new: &str, headline: &str, expected: &[&str]) {
    let found = compared(old, new);
    let outcome = found.objects[0].outcome.as_ref().expect("an outcome");
    assert_eq!((outcome.effect, outcome.text.as_str()), (Effect::AtOnce, headline), "{new}");
    assert_eq!(outcome.details, expected, "{new}");
}

const LOST: &str = "acts at once: stored objects lose fields";
const FAIL: &str = "acts at once: requests that worked fail";
const REJECTED: &str = "acts at once: values that were accepted are rejected once they change";
const VALID: &str = "acts at once; stored objects stay valid";

#[test]
fn fields_that_the_schema_no_longer_has_are_lost() {
    let size = "size: {type: integer}";
    let removed = ["`spec.size` is removed: stored objects lose it when they are read"];
    facts(&with_properties(size), &with_properties("other: {type: string}"), LOST, &removed);
    // In items of lists and values of maps.
    let nested = |properties: &str| {
        with_properties(&format!(
            "a: {{type: array, items: {{type: object, properties: {{b: {{type: object, additionalProperties: \
             {{type: object, properties: {{{properties}}}}}}}}}}}}}"
        ))
    };
    let path = ["`spec.a[].b[*].size` is removed: stored objects lose it when they are read"];
    facts(&nested(size), &nested("other: {type: string}"), LOST, &path);
    // A schema can keep what it does not have.
    let kept = with_spec("x-kubernetes-preserve-unknown-fields: true");
    facts(&with_properties(size), &kept, VALID, &[]);
    let pruned = ["`spec` no longer keeps fields that the schema does not have"];
    facts(&kept, &with_properties(size), LOST, &pruned);
    let any_key = with_spec("additionalProperties: {type: string}");
    let only = ["`spec` only keeps the fields of the schema, not any key"];
    facts(&any_key, &with_properties("a: {type: string}"), LOST, &only);
}

#[test]
fn stricter_constraints_reject_values_once_they_change() {
    for (old, new, expected) in [
        ("type: string", "type: integer", "is of type integer, not string"),
        ("type: string", "type: string, enum: [a, b]", "only accepts `a`, `b`"),
        ("type: string, enum: [a, b, c]", "type: string, enum: [b]", "no longer accepts `a`, `c`"),
        ("type: string", "type: string, pattern: '^a'", "must match `^a`"),
        ("type: string", "type: string, format: date", "must have the format `date`"),
        ("type: string", "type: string, minLength: 1", "must have at least 1 character"),
        (
            "type: string, maxLength: 9",
            "type: string, maxLength: 8",
            "must have at most 8 characters",
        ),
        ("type: integer, minimum: 1", "type: integer, minimum: 2", "must be at least 2"),
        ("type: integer", "type: integer, maximum: 2", "must be at most 2"),
        ("type: number", "type: number, multipleOf: 2", "must be a multiple of 2"),
        ("type: string, nullable: true", "type: string", "must not be `null`"),
        (
            "type: array, items: {type: string}",
            "type: array, items: {type: string}, maxItems: 4",
            "must have at most 4 items",
        ),
        (
            "type: array, items: {type: string}",
            "type: array, items: {type: string}, x-kubernetes-list-type: set",
            "must have distinct items; server-side apply merges it",
        ),
        (
            "type: integer",
            "type: integer, x-kubernetes-validations: [{rule: 'self > 1', message: too small}]",
            "has another rule: \u{201c}too small\u{201d}",
        ),
        ("type: integer", "type: integer, not: {enum: [1]}", "must satisfy another `not`"),
    ] {
        let [before, after] = [old, new].map(|it| with_properties(&format!("a: {{{it}}}")));
        facts(&before, &after, REJECTED, &[&format!("`spec.a` {expected}")]);
    }
    let [before, after] = ["required: [b]", "required: [a, b]"].map(|it| {
        with_spec(&format!("{it}, properties: {{a: {{type: string}}, b: {{type: string}}}}"))
    });
    let required = "`spec.a` is required: without it, an object is rejected when it is created or `spec` changes";
    facts(&before, &after, REJECTED, &[required]);
}

#[test]
fn wider_schemas_keep_objects_valid() {
    for (old, new) in [
        ("type: string, enum: [a]", "type: string, enum: [a, b]"),
        ("type: string, enum: [a]", "type: string"),
        ("type: string, pattern: '^a'", "type: string"),
        ("type: integer, minimum: 2", "type: integer, minimum: 1"),
        ("type: integer, maximum: 2", "type: integer"),
        ("type: integer", "type: number"),
        (
            "type: integer",
            "x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]",
        ),
        ("type: object, properties: {}", "type: object, properties: {a: {type: string}}"),
        ("type: string", "type: string, nullable: true"),
        (
            "type: integer, x-kubernetes-validations: [{rule: 'self > 1'}]",
            "type: integer, x-kubernetes-validations: []",
        ),
    ] {
        let [before, after] = [old, new].map(|it| with_properties(&format!("a: {{{it}}}")));
        facts(&before, &after, VALID, &[]);
    }
    // The server adds the default before it validates.
    let required = with_spec("required: [a], properties: {a: {type: string, default: x}}");
    let default =
        "the default of `spec.a` is `\"x\"`: stored objects without it have it when they are read";
    facts(&with_spec("properties: {a: {type: string}}"), &required, VALID, &[default]);
}

#[test]
fn defaults_act_on_stored_objects() {
    let old = with_properties("a: {type: string}");
    let new = with_properties("a: {type: string}, b: {type: integer, default: 3}");
    let added = "`spec.b` is added with the default `3`: stored objects have it when they are read";
    facts(&old, &new, VALID, &[added]);
    let other = with_properties("a: {type: string}, b: {type: integer, default: 4}");
    let changed = "the default of `spec.b` is `4`, not `3`: objects that were written before keep the old one";
    facts(&new, &other, VALID, &[changed]);
}

#[test]
fn versions_and_their_storage_are_named() {
    let spec = "{type: object, properties: {a: {type: string}}}";
    let of = |name: &str, state: &str| version(name, state, spec);
    let both = definition(&[of("v1", STORED), of("v1beta1", SERVED)], "");
    let unserved = definition(&[of("v1", STORED), of("v1beta1", UNSERVED)], "");
    let alone = definition(&[of("v1", STORED)], "");
    facts(
        &both,
        &unserved,
        FAIL,
        &[
            "version `v1beta1` is no longer served: requests and manifests that use it fail; stored objects \
           stay",
        ],
    );
    facts(
        &both,
        &alone,
        FAIL,
        &[
            "version `v1beta1` is removed: requests and manifests that use it fail, and the update is rejected \
           while `status.storedVersions` has it",
        ],
    );
    facts(&alone, &both, VALID, &["version `v1beta1` is added"]);
    let moved = definition(&[of("v1", SERVED), of("v1beta1", STORED)], "");
    let stored = "objects are stored as `v1` once they are written; `v1beta1` can only be removed once all of \
                  them are";
    facts(&moved, &both, VALID, &[stored]);
    // Without a webhook, nothing moves a field to its new place.
    let other = version("v1", STORED, "{type: object, properties: {b: {type: string}}}");
    let other = definition(&[other, of("v1beta1", SERVED)], "");
    let old_form = version("v1", SERVED, "{type: object, properties: {b: {type: string}}}");
    let old_form = definition(&[old_form, of("v1beta1", STORED)], "");
    let lost = "`spec.a` is not in `v1`: objects stored as `v1beta1` lose it";
    facts(&old_form, &other, LOST, &[lost, stored]);
}

#[test]
fn facts_of_some_versions_name_them() {
    let of = |first: &str, second: &str| {
        let spec = |it: &str| format!("{{type: object, properties: {{{it}}}}}");
        definition(
            &[version("v1", STORED, &spec(first)), version("v1beta1", SERVED, &spec(second))],
            "",
        )
    };
    let (both, none) = ("a: {type: string}, b: {type: string}", "b: {type: string}");
    let text = "`spec.a` is removed: stored objects lose it when they are read";
    facts(&of(both, both), &of(none, none), LOST, &[text]);
    facts(&of(both, both), &of(both, none), LOST, &[&format!("{text} (in v1beta1)")]);
}

#[test]
fn conversion_names_and_subresources_are_named() {
    let spec = "{type: object, properties: {a: {type: string}}}";
    let with = |rest: &str| definition(&[version("v1", STORED, spec)], rest);
    let webhook = "conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: \
                   {service: {name: a, namespace: b}}}}";
    let on = "a webhook converts between versions: requests in other versions than the stored one fail while \
              it does not answer";
    facts(&with(""), &with(webhook), VALID, &[on]);
    let off = "no webhook converts between versions: only `apiVersion` changes, and fields that the other \
               version does not have are lost";
    facts(&with(webhook), &with(""), LOST, &[off]);
    let short = with("").replace("plural: widgets", "plural: widgets, shortNames: [wd]");
    facts(&short, &with(""), FAIL, &["`kubectl` no longer accepts the name `wd`"]);
    let scope = with("").replace("Namespaced", "Cluster");
    let found = compared(&with(""), &scope);
    assert_eq!(found.objects[0].outcome.as_ref().map(|it| it.effect), Some(Effect::Replaced));
}

#[test]
fn descriptions_and_columns_act_on_no_object() {
    let of = |text: &str| with_properties(&format!("a: {{type: string, description: {text}}}"));
    let found = compared(&of("x"), &of("y"));
    let outcome = found.objects[0].outcome.as_ref().unwrap();
    assert_eq!(
        (outcome.effect, outcome.text.as_str()),
        (Effect::Nothing, "only descriptions change")
    );
    // A field can have this name.
    let named = |ty: &str| with_properties(&format!("description: {{type: {ty}}}"));
    let text = "`spec.description` is of type integer, not string";
    facts(&named("string"), &named("integer"), REJECTED, &[text]);
    let columns = |path: &str| {
        with_properties("a: {type: string}")
            + &format!(
                "    additionalPrinterColumns: [{{name: A, type: string, jsonPath: {path}}}]\n"
            )
    };
    let found = compared(&columns(".spec.a"), &columns(".spec.b"));
    let outcome = found.objects[0].outcome.as_ref().unwrap();
    assert_eq!(outcome.text, "only the columns of `kubectl get` change");
}

#[test]
fn all_formats_list_the_facts() {
    let [old, new] = ["a: {type: string}", "a: {type: string, maxLength: 3}"].map(with_properties);
    let found = compared(&old, &new);
    let fact = "`spec.a` must have at most 3 characters";
    let text = render_diff_human(&found, false, Paint::Plain);
    assert!(text.contains(&format!("\n    * {fact}\n")), "{text}");
    let text = render_diff_markdown(&found, false);
    assert!(text.contains(&format!("\n\n- {fact}\n")), "{text}");
    let json: serde_json::Value = serde_json::from_str(&render_diff_json(&found, true)).unwrap();
    assert_eq!(json["objects"][0]["outcome"]["details"], serde_json::json!([fact]));
}
