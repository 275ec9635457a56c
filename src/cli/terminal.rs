//! The terminal: its colors and its width.

use std::env;
use std::io::{self, IsTerminal as _};

use sandboxc::Paint;
use terminal_size::terminal_size_of;

use super::arguments::Colour;

/// Whether messages are colored.
pub(crate) fn paint(colour: Colour) -> Paint {
    paint_of(colour, io::stderr().is_terminal())
}

/// Whether the output is colored.
pub(crate) fn paint_of_output(colour: Colour) -> Paint {
    paint_of(colour, io::stdout().is_terminal())
}

fn paint_of(colour: Colour, is_terminal: bool) -> Paint {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_coloured = match colour {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if is_set("NO_COLOR") => false,
        Colour::Auto if is_set("CLICOLOR_FORCE") => {
            env::var_os("CLICOLOR_FORCE").is_some_and(|value| value != "0")
        }
        Colour::Auto => env::var_os("TERM").is_none_or(|term| term != "dumb") && is_terminal,
    };
    if is_coloured { Paint::Coloured } else { Paint::Plain }
}

/// The number of columns for the output, as [`columns`]; `None` if it is not a terminal.
pub(crate) fn columns_of_output() -> Option<usize> {
    columns().filter(|_| io::stdout().is_terminal())
}

/// The number of columns for messages: `COLUMNS`, or else the width of the terminal. `None` if
/// there is no terminal, so that the bytes in files and pipes do not depend on it.
pub(crate) fn columns() -> Option<usize> {
    let given = env::var("COLUMNS").ok().and_then(|it| it.parse().ok()).filter(|it| *it > 0);
    given.or_else(|| terminal_size_of(io::stderr()).map(|(width, _)| usize::from(width.0)))
}
