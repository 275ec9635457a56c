//! Every kind of definition: the one list that the compiler, the JSON Schema and the messages read.

use crate::dialect::agent_sandbox;
use crate::lower::Kind;

/// All kinds, system by system.
pub(crate) static KINDS: &[&[Kind]] = &[agent_sandbox::KINDS];
