//! What an editor shows about a file, as functions of a workspace and a file: findings, changes and the
//! layout.
//!
//! No function knows a protocol or reads files, so a language server and a page in a browser can call
//! the same ones. Positions are offsets in bytes from the start of a file.
//!
//! ```
//! use sandboxc::{Options, Workspace, compile, ide};
//!
//! let mut workspace = Workspace::new();
//! let text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {container: []}\n";
//! let file = workspace.add("pod.yaml", text);
//! let compilation = compile(&workspace, &Options::default());
//! let findings = ide::findings(&workspace, &compilation.diagnostics);
//! assert_eq!(&text[findings[&file][0].range.clone()], "container");
//! ```

mod actions;
mod findings;
mod formatting;

pub use actions::{Action, ActionKind, Edit, actions, fix_all};
pub use findings::{Finding, Related, Tag, findings};
pub use formatting::{TextEdit, formatting};
