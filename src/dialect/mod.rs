//! The systems whose objects this compiler knows, one folder each. They never import each other.

pub(crate) mod agent_sandbox;
