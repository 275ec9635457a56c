//! String formats of Kubernetes: names, label keys, label values, and others.
//!
//! Each check returns the first fault, for messages.

mod base64;
mod calendar;
mod cidr;
mod dns;
mod domain_path;
mod duration;
mod escape;
mod fault;
mod file_path;
mod image;
mod key;
mod kubernetes_version;
mod label;
mod name_hash;
mod placeholder;
mod port_name;
mod pydantic;
mod python_date;
mod quantity;
mod same;
mod schedule;
mod shortened;
mod shown;
mod time_zone;
mod timestamp;
mod url;
mod windows_user;

pub use base64::{base64_length, decode_base64, is_base64, to_base64};
pub use calendar::{digit_groups, is_digits, is_usual_time, parse_date};
pub use cidr::{
    Cidr, LaxCidr, canonical_ip_address, is_ip_address, lax_ip_address, mask_address,
    parse_ip_address,
};
pub use dns::{
    RELAXED_SERVICE_NAMES, SUBDOMAIN_LIMIT, check_dns_label, check_dns_prefix, check_dns_subdomain,
    check_path_segment, check_path_segment_prefix, check_search_domain, check_service_name,
    near_dns_label, nearest_dns_subdomain, service_name_check,
};
pub use domain_path::check_domain_path;
pub use duration::{is_duration, whole_seconds};
pub use escape::control_character;
pub use fault::Fault;
pub use file_path::{check_descending_path, check_file_path, has_backsteps};
pub use image::{ImageFault, ImageReference, check_digest};
pub use key::{check_config_map_key, check_env_name, check_header_name};
pub use kubernetes_version::{KubernetesVersion, Versions};
pub use label::{
    check_label_value, check_qualified_name, nearest_label_value, nearest_qualified_name,
};
pub use name_hash::{name_hash, name_hash_bits};
pub use placeholder::{Placeholder, parts_around_placeholders};
pub use port_name::check_port_name;
pub use pydantic::{pydantic_integer, without_underscores};
pub use python_date::PythonDate;
pub use quantity::{Quantity, QuantityFault};
pub use same::is_same;
pub use schedule::{SCHEDULE_NAMES, ScheduleFault, check_schedule};
pub use shortened::{sha256_hex, shortened};
pub use shown::shown;
pub use time_zone::{is_time_zone, time_zones};
pub use timestamp::Timestamp;
pub use url::Url;
pub use windows_user::check_windows_user;
