//! Kubernetes objects, and the lookups that the stages share.

mod access;
pub(crate) mod autoscaler;
mod by_name;
mod canonical;
pub(crate) mod controllers;
mod creator;
mod default_class;
mod expansion;
mod field_order;
mod generated_name;
mod hidden;
mod input_object;
mod kind_facts;
mod known_first;
mod list;
mod missing;
mod network_policy;
mod object;
mod object_set;
mod outline;
mod pod_specs;
mod remarks;
mod resource_name;
mod selector;
mod shared_kinds;

pub(crate) use access::{PolicyRule, account_subject, policy_rules, role_ref};
pub(crate) use by_name::ByName;
pub(crate) use canonical::canonicalize;
pub(crate) use creator::Creator;
pub(crate) use default_class::{default_priority_class, is_default_class};
pub(crate) use expansion::escape_expansion;
pub(crate) use field_order::order_fields;
pub(crate) use generated_name::{LONGEST_PREFIX, kept_prefix, sample_name};
pub(crate) use hidden::Hidden;
pub use input_object::InputObject;
pub(crate) use kind_facts::{
    ClaimNames, EACH, KindFacts, MadeLabel, NamedObject, NamedObjects, TemplateAt,
};
pub(crate) use known_first::sort_known_first;
pub(crate) use list::items_of_list;
pub(crate) use missing::Missing;
pub(crate) use network_policy::{Direction, PolicyRules, policy_governs};
pub use object::{GroupVersionKind, Object};
pub(crate) use object_set::{ObjectSet, meeting_namespace};
pub(crate) use outline::outline;
pub(crate) use pod_specs::{Container, ContainersByName, PodSpec, makes_pods, pod_specs};
pub use remarks::{Remark, Remarks};
pub(crate) use resource_name::resource_of;
pub(crate) use selector::{
    LabelState, Selects, first_unmet, first_unmet_label, selects, selects_by_map, state_of,
};
pub(crate) use shared_kinds::SharedKinds;
