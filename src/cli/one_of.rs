//! Option values from a list, or composed of them: a version or a range of versions, a level or a
//! level in one version.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

/// A parser that accepts more values than it lists; completions, help and messages show the list.
#[derive(Clone, Debug)]
pub(crate) struct OneOf<T> {
    /// Parses a value.
    pub(crate) read: fn(&str) -> Option<T>,
    /// The values to offer.
    pub(crate) list: fn() -> Vec<String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for OneOf<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, Error> {
        value.to_str().and_then(self.read).ok_or_else(|| {
            let mut error = Error::new(ErrorKind::InvalidValue).with_cmd(command);
            if let Some(argument) = argument {
                let name = ContextValue::String(argument.to_string());
                error.insert(ContextKind::InvalidArg, name);
            }
            let given = ContextValue::String(value.to_string_lossy().into_owned());
            error.insert(ContextKind::InvalidValue, given);
            error.insert(ContextKind::ValidValue, ContextValue::Strings((self.list)()));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.list)().into_iter().map(PossibleValue::new)))
    }
}
