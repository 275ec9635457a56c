//! A run for several target versions has the findings of a run for each of them.

use std::collections::BTreeSet;

use rayon::prelude::*;
use sandboxc::{
    Compilation, KubernetesVersion, Options, Severity, Span, Versions, Workspace, compile,
    emit_stream,
};

use crate::support::{fixtures, sampled};

type Finding = (&'static str, String, Severity, Span);

/// The findings of a run that apply to `version`.
fn holding(compilation: &Compilation, version: KubernetesVersion) -> BTreeSet<Finding> {
    let holds = |versions: Option<Versions>| versions.is_none_or(|it| it.contains(version));
    let findings = compilation.diagnostics.iter().filter(|it| holds(it.kubernetes));
    findings
        .map(|it| {
            (
                it.rule.name,
                it.details().message.as_prose().to_string(),
                it.severity,
                it.primary.span,
            )
        })
        .collect()
}

#[test]
fn a_run_for_all_versions_has_the_findings_of_each() {
    let mut all = fixtures("diag");
    all.extend(fixtures("compile"));
    let failures: Vec<_> = sampled(all, 40)
        .into_par_iter()
        .flat_map_iter(|mut fixture| {
            fixture.options.kubernetes = Versions::ALL;
            let (_, all) = fixture.compile();
            let mut failures = Vec::new();
            for version in KubernetesVersion::all() {
                fixture.options.kubernetes = version.into();
                let (_, one) = fixture.compile();
                let (of_all, of_one) = (holding(&all, version), holding(&one, version));
                let is_named = one.diagnostics.iter().any(|it| it.kubernetes.is_some());
                if is_named || of_all != of_one {
                    let apart: Vec<_> = of_all.symmetric_difference(&of_one).collect();
                    failures.push(format!("{} {version}: {apart:?}", fixture.name));
                }
            }
            failures
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Rules in CEL have the same result for each version, and their limit applies to a run.
#[test]
fn rules_are_evaluated_once() {
    let items = "1, ".repeat(10_000);
    let crd = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: things.x.io}}\n\
         spec:\n  group: x.io\n  scope: Cluster\n  names: {{kind: Thing, plural: things, singular: thing, listKind: ThingList}}\n  \
         versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        \
         type: object\n        x-kubernetes-validations: [{{rule: '!has(self.b)'}}]\n        properties:\n          \
         b: {{type: boolean}}\n          a: {{type: array, items: {{type: integer}}, default: [{items}]}}\n"
    );
    // Each costs 20,000 of 15,000,000 units for its defaults.
    let thing = |number| {
        let broken = if number < 2 { "b: true\n" } else { "" };
        format!("---\napiVersion: x.io/v1\nkind: Thing\nmetadata: {{name: t{number}}}\n{broken}")
    };
    let things: String = (0..200).map(thing).collect();
    for kubernetes in [KubernetesVersion::OLDEST.into(), Versions::ALL] {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", crd.clone() + &things);
        let mut options = Options::default();
        options.kubernetes = kubernetes;
        let found = compile(&workspace, &options).diagnostics;
        let rules: Vec<_> = found.iter().map(|it| it.rule.name).collect();
        assert_eq!(rules, ["cel-rule-broken"; 2], "{kubernetes:?}");
    }
}

/// The output for several versions is that for the oldest one, whose layers set the most fields.
#[test]
fn the_output_for_several_versions_is_that_of_the_oldest() {
    for mut fixture in fixtures("compile") {
        fixture.options.kubernetes = KubernetesVersion::OLDEST.into();
        let (_, oldest) = fixture.compile();
        fixture.options.kubernetes = Versions::ALL;
        let (_, all) = fixture.compile();
        assert_eq!(emit_stream(&all.objects), emit_stream(&oldest.objects), "{}", fixture.name);
    }
}
