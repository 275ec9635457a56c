//! Errors that hide others of the same document.

/// The rules whose errors hide errors of other rules in the same document, with these, and the reason.
pub(super) const EXCEPTIONS: &[(&str, &[&str], &str)] = &[
    (
        "unknown-field",
        &[
            "containers-empty",
            "env-source-missing",
            "field-empty",
            "field-missing",
            "handler-missing",
            "null-over-value",
            "request-not-limit",
            "resource-claim-invalid",
            "selector-empty",
            "selector-mismatch",
        ],
        "follows from it: what is missing or not equal is what the misspelled field sets",
    ),
    (
        "wrong-type",
        &["crd-storage-version-not-one", "field-empty", "null-over-value", "service-ports-missing"],
        "follows from it: what is missing is in the value that cannot be read",
    ),
    (
        "label-value-invalid",
        &["selector-mismatch"],
        "follows from it: no selector selects an invalid label",
    ),
    ("too-much-work", ANYTHING, "out of fuel nothing else is done"),
    ("extends-too-deep", ANYTHING, "from a chain above the limit nothing is inherited"),
    ("too-many-findings", ANYTHING, "findings above the limit are not reported"),
    (
        "expression-too-large",
        ANYTHING,
        "after an expression above its limit no other one is evaluated",
    ),
    ("expand-invalid", &["too-much-work"], "the size of the run is not known"),
    (
        "expand-invalid",
        &["expression-undefined", "extends-cycle", "extends-not-found", "extends-too-deep"],
        "without `expand`, the names of the definitions are not known",
    ),
    (
        "expression-failed",
        &["extends-not-found", "extends-too-deep"],
        "the name of the definition, which may be the missing one, is not known",
    ),
    (
        "expression-syntax",
        &["extends-not-found", "extends-too-deep"],
        "the name of the definition, which may be the missing one, is not known",
    ),
    (
        "expression-undefined",
        &["extends-cycle", "extends-not-found"],
        "the name of the definition, which may be the missing one, is not known",
    ),
    ("extends-cycle", &["extends-not-found"], "two definitions of one name, of which one is found"),
    ("expand-invalid", &["guarded-field"], "the base of the definition is not known"),
    ("expression-undefined", &["guarded-field"], "a value that is not known can set the field"),
    ("extends-cycle", &["guarded-field"], "the base is not known"),
    ("extends-not-found", &["guarded-field"], "the base is not known"),
    (
        "expand-invalid",
        &["object-duplicate"],
        "without `expand`, the names of the definitions are not known",
    ),
    (
        "quantity-invalid",
        &["object-duplicate"],
        "a definition with errors compiles to no object, which could be a duplicate",
    ),
    (
        "expression-failed",
        &["object-duplicate"],
        "the name of an object can depend on the fields that are not known",
    ),
    (
        "expression-syntax",
        &["object-duplicate"],
        "the name of an object can depend on the fields that are not known",
    ),
    (
        "extends-cycle",
        &["object-duplicate"],
        "the name of an object can depend on the fields that are not known",
    ),
    (
        "wrong-type",
        &["object-duplicate"],
        "the name of an object can depend on the fields that are not known",
    ),
    (
        "crd-keyword-misplaced",
        &["crd-default-invalid", "crd-type-missing"],
        "the API server checks defaults and types of a schema that it can convert",
    ),
    (
        "crd-keyword-unsupported",
        &["crd-default-invalid", "crd-type-missing"],
        "the API server checks defaults and types of a schema that it can convert",
    ),
    ("crd-list-type-invalid", &["crd-type-missing"], "the same schema, whose type is both"),
    (
        "crd-metadata-restricted",
        &["crd-default-invalid"],
        "the API server checks defaults of a structural schema",
    ),
    (
        "crd-not-structural",
        &["crd-default-invalid"],
        "the API server checks defaults of a structural schema",
    ),
    (
        "crd-pattern-invalid",
        &["crd-default-invalid"],
        "the API server checks defaults of a structural schema",
    ),
    (
        "name-invalid",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "progress-deadline-short",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "revision-annotation-invalid",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "restart-policy-unsuitable",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "rollout-conflict",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "share-invalid",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "template-deadline",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "unknown-field",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "wrong-type",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    // The merged document lacks the fault.
    ("name-invalid", &["name-missing"], "`generateName` is a name"),
    ("policy-denied", &["name-invalid", "name-missing"], "the other object has the field"),
    ("object-duplicate", &["name-invalid", "name-missing"], "both documents have the same name"),
    ("field-empty", &["field-missing"], "the other object has the field"),
    ("selector-empty", &["field-missing"], "the other object has the fields"),
    ("pod-selector-invalid", &["selector-empty"], "the other selector is not empty"),
    (
        "placeholder-not-substituted",
        &["name-invalid", "name-missing"],
        "the placeholder is the name",
    ),
    ("failure-policy-invalid", &["job-label-reserved"], "the other Job has the name in the label"),
    ("job-indexes-invalid", &["job-label-reserved"], "the other Job has the name in the label"),
    ("job-indexes-invalid", &["success-policy-invalid"], "the other Job has indexes"),
    (
        "definition-not-found",
        &["osa-path-invalid"],
        "without its Runner, a Hook compiles to no Job",
    ),
    ("label-value-invalid", &["snapshot-tag-without-id"], "the other Server has the id"),
    ("image-with-space", &["field-empty"], "the other object has an image"),
    ("reference-name-invalid", &["field-empty"], "the other object has an image"),
    ("osa-namespace-not-found", &["runner-setting-missing"], "the other Runner has the setting"),
    ("runner-setting-invalid", &["runner-setting-missing"], "the other Runner has the setting"),
    ("job-label-reserved", &["job-selector-own"], "the same label of the other Job"),
    ("pod-selector-invalid", &["selector-mismatch"], "an invalid selector selects nothing"),
    ("container-restart-policy-invalid", &["restart-rule-invalid"], "rules of an invalid policy"),
    ("claim-env-container-unknown", &["claim-env-duplicate"], "variables of an unknown container"),
    ("nodepool-resource-key-reserved", &["nodepool-quota-exceeded"], "the quota of a reserved key"),
    ("field-empty", &["job-label-reserved"], "a Job with a selector of its own can have any label"),
    ("selector-mismatch", &["restart-policy-unsuitable"], "the other Job has the field"),
    (
        "warm-pool-not-found",
        &["claim-env-disallowed"],
        "the Template of another pool allows variables or not",
    ),
    ("nodepool-number-invalid", &["nodepool-quota-exceeded"], "the quota is the invalid number"),
    (
        "osa-namespace-not-found",
        &["persistent-volume-claim-not-found"],
        "the Hook refers to a Runner in its own namespace",
    ),
    (
        "persistent-volume-claim-not-found",
        &["runner-setting-missing"],
        "the other Runner has the setting",
    ),
    // Faults of the settings that decide what kelos or idegym build.
    (
        "needs-kelos-controller",
        ANYTHING,
        "without the field that only the controller supports, the Task is another one",
    ),
    (
        "mcp-server-invalid",
        &["mcp-secret-keys-unknown"],
        "servers that cannot be written have no keys",
    ),
    (
        "kelos-reference-not-found",
        &["task-volume-missing"],
        "the volumes of what is not found are not known",
    ),
    (
        "pod-security-host-process",
        &["pod-security-privilege-escalation"],
        "a Pod of the host process is for Windows, for which the standards do not check the field",
    ),
];

const ANYTHING: &[&str] = &[];
