//! The faulty documents of two fixtures in one.

use sandboxc::{Options, PathStep};
use serde_yaml::{Mapping, Value};

use super::{Fault, Faulty};

/// The text of both fixtures, with one document for the two faulty ones. `None` if they differ in a
/// value that both need.
pub(super) fn merged<'f>(one: &Faulty<'f>, other: &Faulty<'f>) -> Option<(String, &'f Options)> {
    let mut second = other.document.clone();
    let mut second_context = other.context.clone();
    // Both documents get one name, unless a fault is about it.
    if let (Some(name), Some(old)) = (one.object_name(), other.object_name())
        && name != old
    {
        let is_about_name = |it: &Fault<'_>| {
            let names = ["name", "generateName", "namespace"];
            it.path.as_ref().is_some_and(|path| match &path[..] {
                [] => true,
                [metadata] => is_field(metadata, "metadata"),
                [metadata, field, ..] => {
                    is_field(metadata, "metadata") && names.iter().any(|it| is_field(field, it))
                }
            }) || it.rule() == "volume-claim-of-ephemeral"
        };
        if [one, other].iter().any(|it| it.errors.iter().any(is_about_name)) {
            return None;
        }
        for value in std::iter::once(&mut second).chain(&mut second_context) {
            rename(value, old, name);
        }
    }
    let mut sides = [Side::of(one), Side::of(other)];
    let document = merge(&one.document, &second, &mut sides)?;
    let mut context: Vec<Value> = one.context.clone();
    for value in second_context {
        let same = context.iter_mut().find(|it| identity(it) == identity(&value));
        match same {
            Some(same) if *same != value => return None,
            Some(_) => {}
            None => context.push(value),
        }
    }
    // Its settings apply to both.
    let is_project = |it: &&Value| it.get("kind").and_then(Value::as_str) == Some("Project");
    let project_of = |it: &Faulty<'_>| it.context.iter().find(is_project).cloned();
    if project_of(one) != project_of(other) {
        return None;
    }
    Some((text_of(&document, &context)?, one.options))
}

pub(super) fn text_of(document: &Value, context: &[Value]) -> Option<String> {
    let documents = std::iter::once(document).chain(context);
    let texts: Option<Vec<_>> = documents.map(|it| serde_yaml::to_string(it).ok()).collect();
    Some(texts?.join("---\n"))
}

fn identity(value: &Value) -> (Option<&Value>, Option<&Value>, Option<&Value>) {
    let kind = value.get("kind");
    let is_project = kind.and_then(Value::as_str) == Some("Project");
    let metadata = |key: &str| value.get("metadata")?.get(key);
    (kind, metadata("name").filter(|_| !is_project), metadata("namespace").filter(|_| !is_project))
}

fn rename(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) if text == old => new.clone_into(text),
        Value::Sequence(items) => items.iter_mut().for_each(|it| rename(it, old, new)),
        Value::Mapping(map) => map.values_mut().for_each(|it| rename(it, old, new)),
        _ => {}
    }
}

/// One of two trees that are merged: the paths of its faults, and of the current value.
struct Side {
    faults: Vec<Vec<PathStep>>,
    /// Whether it is a definition, and each fault has a path. In an object, the faulty value of a field
    /// such as `type` can make the fault of another one disappear.
    is_known: bool,
    path: Vec<PathStep>,
}

impl Side {
    fn of(fixture: &Faulty<'_>) -> Self {
        Self {
            faults: fixture.errors.iter().filter_map(|it| it.path.clone()).collect(),
            is_known: fixture.is_definition() && fixture.errors.iter().all(|it| it.path.is_some()),
            path: Vec::new(),
        }
    }

    /// Whether the current value is faulty, or has or is a part of a faulty one.
    fn is_faulty(&self) -> bool {
        self.faults.iter().any(|fault| fault.iter().zip(&self.path).all(|(a, b)| is_same(a, b)))
    }

    /// Whether a field with the name of the current one is faulty.
    fn has_faulty_namesake(&self) -> bool {
        let named = |path: &[PathStep]| {
            path.iter().rev().find_map(|it| match it {
                PathStep::Field(name) | PathStep::Key(name) => Some(name.to_string()),
                PathStep::Index(_) => None,
            })
        };
        self.faults.iter().any(|fault| named(fault) == named(&self.path))
    }
}

fn is_same(one: &PathStep, other: &PathStep) -> bool {
    match (one, other) {
        (PathStep::Index(one), PathStep::Index(other)) => one == other,
        (
            PathStep::Field(one) | PathStep::Key(one),
            PathStep::Field(other) | PathStep::Key(other),
        ) => one == other,
        _ => false,
    }
}

/// Both values, which are at these steps of their trees, in one.
fn merge_at(steps: [PathStep; 2], values: [&Value; 2], sides: &mut [Side; 2]) -> Option<Value> {
    for (side, step) in sides.iter_mut().zip(steps) {
        side.path.push(step);
    }
    let merged = merge(values[0], values[1], sides);
    for side in sides {
        side.path.pop();
    }
    merged
}

/// Both trees in one. `None` if they have different values of one field, other than an image, and not
/// exactly one of the values is faulty.
fn merge(one: &Value, other: &Value, sides: &mut [Side; 2]) -> Option<Value> {
    let are_known = sides.iter().all(|it| it.is_known);
    match (one, other) {
        _ if one == other => Some(one.clone()),
        (Value::Mapping(one), Value::Mapping(other)) => {
            let mut map = Mapping::new();
            for (key, value) in one {
                let both = match other.get(key) {
                    Some(second) => {
                        let step = || PathStep::Field(key.as_str().unwrap_or_default().into());
                        merge_at([step(), step()], [value, second], sides)?
                    }
                    None => value.clone(),
                };
                map.insert(key.clone(), both);
            }
            for (key, value) in other {
                if !map.contains_key(key) {
                    map.insert(key.clone(), value.clone());
                }
            }
            Some(Value::Mapping(map))
        }
        (Value::Sequence(one), Value::Sequence(other)) => {
            let mut items = one.clone();
            let mut own: Vec<_> = (0..one.len()).collect();
            for (index, item) in other.iter().enumerate() {
                let name = item.get("name");
                let is_same = |at: &usize| {
                    one.get(*at) == Some(item)
                        || name.is_some() && one.get(*at).and_then(|it| it.get("name")) == name
                };
                // Each item of one list is merged with one of the other.
                match own.iter().position(is_same) {
                    Some(position) if one.get(own[position]) == Some(item) => {
                        own.remove(position);
                    }
                    // One volume has one source.
                    Some(_) if sides[0].path.last().is_some_and(|it| is_field(it, "volumes")) => {
                        return None;
                    }
                    Some(position) => {
                        let at = own.remove(position);
                        let steps = [PathStep::Index(at), PathStep::Index(index)];
                        items[at] = merge_at(steps, [&one[at], item], sides)?;
                    }
                    None => items.push(item.clone()),
                }
            }
            Some(Value::Sequence(items))
        }
        _ => match sides.each_ref().map(Side::is_faulty) {
            [true, false] if are_known => Some(one.clone()),
            [false, true] if are_known => Some(other.clone()),
            [false, false] => {
                let is_expression = |it: &Value| {
                    it.as_str().is_some_and(|it| it.contains("{{") || it.contains("{%"))
                };
                let is_free = sides[0].path.last().is_some_and(|it| is_field(it, "image"))
                    && !sides.iter().any(Side::has_faulty_namesake)
                    && ![one, other].into_iter().any(is_expression);
                is_free.then(|| one.clone())
            }
            _ => None,
        },
    }
}

fn is_field(step: &PathStep, name: &str) -> bool {
    is_same(step, &PathStep::Field(name.into()))
}
