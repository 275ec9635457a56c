//! `--kubernetes`: a version or a range of versions.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use sandboxc::{KubernetesVersion, Versions};

/// Reads `1.36` and `1.33..1.36`, and offers the versions to completions and help.
#[derive(Clone, Debug)]
pub(crate) struct VersionsParser;

impl TypedValueParser for VersionsParser {
    type Value = Versions;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Versions, Error> {
        value.to_str().and_then(Versions::parse).ok_or_else(|| {
            let mut error = Error::new(ErrorKind::InvalidValue).with_cmd(command);
            if let Some(argument) = argument {
                let name = ContextValue::String(argument.to_string());
                error.insert(ContextKind::InvalidArg, name);
            }
            let given = ContextValue::String(value.to_string_lossy().into_owned());
            error.insert(ContextKind::InvalidValue, given);
            let known = KubernetesVersion::all().map(|it| it.to_string()).collect();
            error.insert(ContextKind::ValidValue, ContextValue::Strings(known));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = KubernetesVersion::all().map(|it| PossibleValue::new(it.to_string()));
        Some(Box::new(names.collect::<Vec<_>>().into_iter()))
    }
}
