//! What the API server of the target version would say of the objects.

pub(crate) mod rules;
