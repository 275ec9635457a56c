//! Kubernetes objects, and the lookups that the stages share.

pub mod autoscaler;
mod by_name;
mod canonical;
mod command;
mod configuration;
pub mod controllers;
mod creator;
mod default_class;
mod expansion;
mod field_order;
mod generated_name;
mod hidden;
mod hooks;
mod input_object;
mod kind_facts;
mod list;
mod members;
mod missing;
mod name_order;
mod network_policy;
mod object;
mod object_set;
mod pod_specs;
mod reference;
mod remarks;
mod resource_name;
mod selector;
mod shared_kinds;

pub use by_name::ByName;
pub use canonical::canonicalize;
pub use command::LAST_APPLIED;
pub use configuration::is_configuration_group;
pub use creator::Creator;
pub use default_class::{default_priority_class, is_default_class};
pub use expansion::{escape_expansion, unescape_expansion};
pub use field_order::order_fields;
pub use generated_name::{LONGEST_PREFIX, kept_prefix, sample_name};
pub use hidden::Hidden;
pub use hooks::Hook;
pub use input_object::InputObject;
pub use kind_facts::{ClaimNames, KindFacts, MadeLabel, TemplateAt};
pub use list::items_of_list;
pub use members::{Members, MembersOf};
pub use missing::{Hint, Missing};
pub use name_order::sort_by_name;
pub use network_policy::{Direction, PolicyRules, open_rule, policy_governs};
pub use object::{GroupVersionKind, Object};
pub use object_set::{ObjectSet, meeting_namespace};
pub use pod_specs::{Container, ContainersByName, PodSpec, makes_pods, pod_specs};
pub use reference::{
    CLASS_OF_CLAIM_TEMPLATES, CONFIG_MAP, EACH, Found, OF_ALL, OF_KINDS, OF_PODS,
    PERSISTENT_VOLUME_CLAIM, PRIORITY_CLASS, RUNTIME_CLASS, Reference, References, SECRET,
    SECRET_MAKERS, SERVICE_ACCOUNT, STORAGE_CLASS, Target, To, Use, visit_pod_fields,
    visit_pod_references, visit_references,
};
pub use remarks::{Remark, Remarks};
pub use resource_name::{is_name_of_kind, resource_of};
pub use selector::{
    LabelState, Selects, first_unmet, first_unmet_label, selects, selects_by_map, state_of,
};
pub use shared_kinds::SharedKinds;
