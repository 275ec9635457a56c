//! What an editor shows about a file: findings, changes and the layout, from a check; completions,
//! descriptions, names and structure, from an [`Index`], which needs no check and exists for half a
//! document too.
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
mod built;
mod completion;
mod correction;
mod effective;
mod findings;
mod formatting;
mod hints;
mod hover;
mod index;
mod navigation;
mod outline;
mod part;
mod refactor;
mod reference;
mod structure;

pub use actions::{Action, ActionKind, Edit, actions, fix_all};
pub use built::built;
pub use completion::{Completion, CompletionKind, completion};
pub use correction::correct_name;
pub use effective::effective;
pub use findings::{Finding, Related, Tag, findings};
pub use formatting::{TextEdit, formatting};
pub use hints::{Hint, HintKind, hints};
pub use hover::{Hover, hover, hover_of_findings};
pub use index::Index;
pub use navigation::{FileRange, definition, references, renamable, rename, rename_to};
pub use outline::Outline;
pub use refactor::{Refactoring, RefactoringKind, declare_external, refactorings};
pub use structure::{
    Link, LinkTarget, Symbol, document_symbols, folds, links, selections, workspace_symbols,
};
