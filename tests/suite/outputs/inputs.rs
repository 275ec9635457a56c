//! All valid inputs of the repository, and their output.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::prelude::*;
use sandboxc::{Compilation, Object, Options, Severity, Workspace};
use serde::Deserialize;
use serde_json::Value;

use crate::oracles;
use crate::support::cases::{blocks, sections};
use crate::support::{Fixture, fixtures, root, sampled};

/// One input, and the objects that it compiles to.
pub(super) struct Input {
    /// `compile/kelos/skills`, `examples/osa`, `docs/osa.md#1`, `oracles/osa/minimal`.
    pub(super) name: String,
    pub(super) objects: Vec<Object>,
    /// The Pod Security level that the definitions guarantee.
    pub(super) level: &'static str,
    /// The names of Pods with a complete `spec`, which is used unchanged: no level is guaranteed
    /// for them.
    pub(super) verbatim: BTreeSet<String>,
}

impl Input {
    fn new(name: String, definitions: &str, compilation: &Compilation) -> Option<Self> {
        let has_error = compilation.diagnostics.iter().any(|it| it.severity == Severity::Error);
        let mut objects = compilation.objects.clone();
        // The server answers reviews and stores none, so they cannot be applied.
        objects.retain(|it| {
            !["authentication.k8s.io", "authorization.k8s.io"].contains(&it.gvk().group())
        });
        let level = promised_level(definitions);
        let verbatim = verbatim_pods(definitions);
        (!has_error && !objects.is_empty()).then_some(Self { name, objects, level, verbatim })
    }
}

/// One in this many inputs is in the sample.
pub(super) const SHARE: usize = 12;

/// A sample of the inputs. CustomResourceDefinitions come first, because the objects of other inputs need them.
pub(super) fn inputs() -> Vec<Input> {
    let definitions = sandboxc::crds(&Options::default(), None);
    let crds = Input {
        name: "crds".to_owned(),
        objects: definitions,
        level: "privileged",
        verbatim: BTreeSet::new(),
    };
    let mut all = vec![crds];
    let fixtures = sampled(fixtures("compile"), SHARE);
    all.par_extend(fixtures.par_iter().filter_map(fixture_input));
    all.extend(example_inputs());
    all.extend(documentation_inputs());
    all.par_extend(oracles::built_cases().par_iter().filter_map(|(case, built)| {
        let (definitions, compilation) = built.as_ref().ok()?;
        Input::new(format!("oracles/{}", case.name), definitions, compilation)
    }));
    all
}

pub(super) fn fixture_input(fixture: &Fixture) -> Option<Input> {
    let name = fixture.name.trim_end_matches(".yaml").to_owned();
    let text = String::from_utf8_lossy(&fixture.bytes);
    Input::new(name, &text, &fixture.compile().1)
}

/// Each directory in `examples` is a project.
fn example_inputs() -> Vec<Input> {
    let folders = oracles::folders(&root().join("examples"));
    let input = |folder: &Path| {
        let mut workspace = Workspace::new();
        let mut definitions = String::new();
        for file in oracles::files(folder) {
            let text = fs::read_to_string(&file).unwrap();
            definitions = format!("{definitions}\n---\n{text}");
            workspace.add(file.display().to_string(), text);
        }
        let name = format!("examples/{}", oracles::file_name(folder));
        Input::new(name, &definitions, &sandboxc::compile(&workspace, &Options::default()))
    };
    folders.iter().filter_map(|it| input(it)).collect()
}

/// The YAML in the documentation, and the recommended examples of rule pages.
fn documentation_inputs() -> Vec<Input> {
    let mut pages = vec![("README.md".to_owned(), root().join("README.md"))];
    for folder in ["docs", "docs/rules"] {
        let files = oracles::files(&root().join(folder));
        pages.extend(
            files.into_iter().map(|it| (format!("{folder}/{}", oracles::file_name(&it)), it)),
        );
    }
    let of_page = |(name, path): &(String, std::path::PathBuf)| {
        let text = fs::read_to_string(path).unwrap();
        let is_rule = name.starts_with("docs/rules/");
        let parts = if is_rule {
            let sections = sections(&text);
            sections.into_iter().filter(|it| it.0 == "Use instead").map(|it| it.1).collect()
        } else {
            vec![text.as_str()]
        };
        let codes = parts.into_iter().flat_map(blocks).filter(|(info, _)| *info == "yaml");
        let inputs = codes.enumerate().filter_map(|(at, (_, code))| {
            let name = format!("{name}#{}", at + 1);
            let fixture = Fixture::new(name.clone(), code.as_bytes().to_vec());
            if fixture.is_import {
                return None;
            }
            Input::new(name, code, &fixture.compile().1)
        });
        inputs.collect::<Vec<_>>()
    };
    sampled(pages, SHARE).par_iter().flat_map(of_page).collect()
}

/// `restricted`, unless definitions set a lower level.
fn promised_level(definitions: &str) -> &'static str {
    // Objects that controllers create from manifests have the level of the manifests.
    let of_manifests = ["SandboxTemplate", "Deployment", "ReplicaSet", "StatefulSet", "Job"];
    let is_of_controllers =
        definitions.contains("# verb: effective") || definitions.contains("=pods\n");
    if is_of_controllers
        && of_manifests.iter().any(|it| definitions.contains(&format!("kind: {it}")))
    {
        return "privileged";
    }
    let named = |level: &str| {
        let texts = [format!("security: {level}"), format!("security: \"{level}\"")];
        texts.iter().any(|it| definitions.contains(it))
    };
    ["privileged", "baseline"].into_iter().find(|it| named(it)).unwrap_or("restricted")
}

/// The labels of NodePools with `spec`, whose names are also those of their Pods, with an ID if these share a
/// Project.
fn verbatim_pods(definitions: &str) -> BTreeSet<String> {
    let documents = serde_yaml::Deserializer::from_str(definitions);
    let documents = documents.filter_map(|it| Value::deserialize(it).ok());
    let mut names = BTreeSet::new();
    for definition in documents.filter(|it| it["kind"] == "NodePool") {
        let items = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
        let labels = items(&definition["spec"], "pools")
            .iter()
            .flat_map(|it| items(it, "labels"))
            .collect::<Vec<_>>();
        let verbatim = labels.iter().filter(|it| it["spec"].is_object());
        for name in verbatim.filter_map(|it| it["name"].as_str()) {
            names.extend([name.to_owned(), format!("{name}-0000000000")]);
        }
    }
    names
}
