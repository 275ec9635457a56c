//! agent-sandbox: Sandbox, SandboxTemplate, SandboxWarmPool and SandboxClaim, with the behavior of
//! their controllers.

mod adoption;
pub(crate) mod api;
mod blueprint;
mod claim;
mod domains;
mod effective;
mod facts;
mod inherited;
mod migration;
mod moved;
pub(crate) mod names;
mod outcome;
pub(crate) mod rules;
mod sandbox;
mod settings;
mod template;
mod volume_claim;
mod warm_pool;

use settings::{AgentSandboxSettings, Settings};

use crate::decode::Record;
use crate::kube::{EACH, STORAGE_CLASS};
use crate::lower::{
    Definition, DefinitionReference, Dialect, EXTENDS, Flag, Kind, SettingsBlock, read_and,
    same_name,
};

/// The dialect of agent-sandbox.
pub(crate) static DIALECT: Dialect = Dialect {
    name: "agent-sandbox",
    kinds: KINDS,
    rules: rules::RULES,
    settings: Some(SettingsBlock::of::<AgentSandboxSettings>(
        "agentSandbox",
        "Settings of agent-sandbox.",
    )),
    check_objects: |set, setup, target, sink| {
        rules::check(set, &Settings::of(setup), target, sink);
    },
    effects: |effects, _, setup| effective::run(effects, setup),
    outcome: outcome::of,
    then_lost: outcome::then_lost,
    plain_target: Some("pods"),
    custom_resources: |setup| Some(api::of_line(Settings::of(setup).line)),
    kind_facts: facts::FACTS,
    references: &[
        DefinitionReference::to_definition("Template", EXTENDS, "Template"),
        DefinitionReference::to_definition("Sandbox", EXTENDS, "Template"),
        DefinitionReference::to_definition("WarmPool", &["spec", "template"], "Template"),
        DefinitionReference::to_definition("Claim", &["spec", "warmPool"], "WarmPool"),
        DefinitionReference::to_object(
            "",
            &["volumeClaims", EACH, "storageClassName"],
            STORAGE_CLASS,
        ),
    ],
    flags: &[Flag {
        name: "agent-sandbox",
        field: "release",
        value_name: "LINE",
        summary: "The line of agent-sandbox releases whose controllers run in the cluster \
                  [default: the Project's, else 1.0]",
        details: "0.5 serves v1beta1 and the deprecated v1alpha1; 1.0 only serves v1beta1.",
    }],
    migration: Some(migration::MIGRATION),
    adoption: Some(adoption::ADOPTION),
    ..Dialect::EMPTY
};

/// The kinds of definitions of agent-sandbox.
static KINDS: &[Kind] = &[
    Kind {
        name: "Template",
        document: Definition::<template::TemplateSpec>::DOCUMENT,
        docs: template::TemplateSpec::DOCS,
        is_referenced: true,
        can_fail: true,
        compiles_to: &[(names::EXTENSIONS_GROUP, names::SANDBOX_TEMPLATE)],
        declares: same_name,
        moved: moved::OF_TEMPLATE,
        lower: template::lower,
    },
    Kind {
        name: "WarmPool",
        document: Definition::<warm_pool::WarmPoolSpec>::DOCUMENT,
        docs: warm_pool::WarmPoolSpec::DOCS,
        is_referenced: false,
        can_fail: true,
        compiles_to: &[(names::EXTENSIONS_GROUP, names::SANDBOX_WARM_POOL)],
        declares: same_name,
        moved: moved::OF_WARM_POOL,
        lower: |instance, lowering| read_and(instance, lowering, warm_pool::lower),
    },
    Kind {
        name: "Claim",
        document: Definition::<claim::ClaimSpec>::DOCUMENT,
        docs: claim::ClaimSpec::DOCS,
        is_referenced: false,
        can_fail: false,
        compiles_to: &[(names::EXTENSIONS_GROUP, names::SANDBOX_CLAIM)],
        declares: same_name,
        moved: moved::OF_CLAIM,
        lower: |instance, lowering| read_and(instance, lowering, claim::lower),
    },
    Kind {
        name: "Sandbox",
        document: Definition::<sandbox::SandboxSpec>::DOCUMENT,
        docs: sandbox::SandboxSpec::DOCS,
        is_referenced: false,
        can_fail: true,
        compiles_to: &[(names::AGENTS_GROUP, names::SANDBOX)],
        declares: same_name,
        moved: moved::OF_SANDBOX,
        lower: sandbox::lower,
    },
];
