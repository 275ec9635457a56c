//! The fields of a `Test`.

use crate::decode::{Anything, Choice, Integer, Listed, Mapped, Text, choice, definition};

definition! {
    /// Input of a case, in addition to that of all cases.
    pub(crate) struct Given in "Test settings" {
        /// Files, directories and globs, relative to the directory of the test file. Defaults to the
        /// project around the test file.
        "inputs" optional inputs: Listed<Text>,
        /// Environment of the Project.
        "environment" optional environment: Text,
        /// Version of Kubernetes whose API server must accept the output, or several, as `kubernetes`
        /// of the Project, over which it takes precedence.
        "kubernetes" optional kubernetes: Text,
        /// Values that take precedence over those of the Project and its environment. Maps are merged.
        "values" optional values: Anything,
        /// Definitions and objects in addition to those of the inputs, such as a Claim for a Template
        /// of the project.
        "definitions" optional definitions: Listed<Anything>,
    }
}

choice! {
    /// The severity of a finding.
    pub(crate) enum Level {
        /// An error.
        Error = "error",
        /// A warning.
        Warning = "warning",
        /// A note.
        Note = "note",
    }
}

definition! {
    /// A finding of the case. Each field that is set must match.
    pub(crate) struct Expected in "Test.spec.cases[].expect.findings[]" {
        /// Name of the rule.
        "rule" required rule: Text,
        /// Definition or manifest that contains the finding: `Claim/run-1`, `Kind/namespace/name`.
        "object" optional object: Text,
        /// File that contains the finding, relative to the directory of the test file.
        "file" optional file: Text,
        /// Severity of the finding.
        "severity" optional severity: Choice<Level>,
        /// Part of the message.
        "message" optional message: Text,
    }
}

definition! {
    /// Expectations on the output and the findings of a case. At least one is required.
    pub(crate) struct Expect in "Test.spec.cases[].expect" {
        /// Parts of objects of the output, each with its `kind`, usually with `metadata.name`. The
        /// fields that are written must have the same meaning in the output, `null` means that a
        /// field is not set, and other fields are ignored. Items of lists are compared by their keys,
        /// lists without keys as a whole.
        "objects" optional objects: Listed<Anything>,
        /// Objects that the output must not contain: `Kind/name`, `Kind/namespace/name` or
        /// `Kind.group/name`.
        "absent" optional absent: Listed<Text>,
        /// Fields of objects: for each object, as in `absent`, the paths of fields, as for `why`, and
        /// their values; `null` if the field must not be set.
        "fields" optional fields: Mapped<Mapped<Anything>>,
        /// Number of objects of each kind: `Kind` or `Kind.group`.
        "count" optional count: Mapped<Integer>,
        /// All errors and warnings, in any order; `[]` if there must be none. Notes can be listed
        /// too. By default, a case must have no errors.
        "findings" optional findings: Listed<Expected>,
        /// File with the complete output, relative to the directory of the test file. Its name ends
        /// with `.snap.yaml`. `test --update` writes it.
        "snapshot" optional snapshot: Text,
    }
}

definition! {
    /// One run of `build`, and what it must result in.
    pub(crate) struct Case in "Test.spec.cases[]" {
        flatten given: Given,
        /// Name of the case in reports, unique in the file.
        "name" required name: Text,
        /// Expectations on the output and the findings.
        "expect" required expect: Expect,
    }
}

definition! {
    /// Expectations on the output of definitions, for `sandboxc test`. The fields other than `cases`
    /// apply to all cases.
    pub(crate) struct TestSpec in "Test.spec" {
        flatten given: Given,
        /// Cases, each of which is built and compared on its own.
        "cases" required cases: Listed<Case>,
    }
}
