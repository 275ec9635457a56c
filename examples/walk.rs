//! Walks the compiled objects and lists the images they run: `cargo run --example walk`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use sandboxc::{Content, Node, Options, Workspace, compile};

fn main() {
    let text = include_str!("quickstart/dev-box.yaml");
    for image in images(text) {
        println!("{image}");
    }
}

/// `Kind/name: image` for each field `image` of each object.
pub(crate) fn images(text: &str) -> Vec<String> {
    let mut workspace = Workspace::new();
    workspace.add("definitions.yaml", text);
    let mut found = Vec::new();
    for object in compile(&workspace, &Options::default()).objects {
        let mut images = Vec::new();
        collect(object.root(), &mut images);
        found.extend(images.iter().map(|image| format!("{}: {image}", object.describe())));
    }
    found
}

fn collect<'n>(node: &'n Node, images: &mut Vec<&'n str>) {
    match node.content() {
        Content::Map(entries) => {
            for entry in entries {
                if let ("image", Some(image)) = (entry.key(), entry.value().as_str()) {
                    images.push(image);
                }
                collect(entry.value(), images);
            }
        }
        Content::List(items) => items.iter().for_each(|item| collect(item, images)),
        _ => {}
    }
}
