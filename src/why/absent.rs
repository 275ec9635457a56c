//! Notes on a field that an object does not have: what removed it, and which definition can set it.
//! Also notes on nulls, which set nothing.

use super::bench::{At, Bench, Part, node_at};
use super::places::Places;
use super::route::{Found, Pick, is_identity_field, scalar_text, step_of, walk};
use super::{Asker, field_names};
use crate::crd::CustomKinds;
use crate::diag::{FieldPath, PathStep, did_you_mean};
use crate::kube::{InputObject, Object};
use crate::schema::{Type, store};
use crate::sorted::CompactSort as _;
use crate::tree::{Content, Entry, Node, Origin, Value};

/// Adds notes on a field: what removed it, and which definition can set it.
pub(super) fn add_notes(
    asker: &mut Asker<'_, '_, '_, '_>,
    found: &Found<'_>,
    notes: &mut Vec<String>,
) {
    let Asker { places, custom, bench, object } = asker;
    let path: Vec<_> = found.path.iter().chain(&found.missing).cloned().collect();
    let is_absent = !found.missing.is_empty();
    if let Some(problem) = problem_of_path(found) {
        notes.push(problem);
        return;
    }
    let lists = match lists_on(object, custom, &path) {
        Ok(lists) => lists,
        Err(problem) if is_absent => {
            notes.push(problem);
            return;
        }
        Err(_) => Vec::new(),
    };
    let Some(bench) = bench else {
        if is_absent {
            notes.push(format!(
                "{} is not compiled from a definition: set the field at {}",
                object.describe(),
                places.line(object.document)
            ));
        }
        return;
    };
    for part in find_nulls(bench, &path) {
        notes.push(format!(
            "{} sets nothing: fields can only be added and replaced",
            describe_part(bench, places, &part)
        ));
    }
    if !is_absent {
        return;
    }
    let missing = picks_of_missing(&found.missing, lists.into_iter().skip(found.picks.len()));
    let picks: Vec<_> = found.picks.iter().cloned().chain(missing).collect();
    let removers = find_removers(bench, &picks);
    for (part, value) in &removers {
        notes.push(format!(
            "removed by {}; without it the value is {}",
            describe_part(bench, places, part),
            value.to_json()
        ));
    }
    let settable = settable_fields(bench, &picks, &path);
    if let Some(own) = bench.root(bench.own()) {
        let owner = places.input(own.span()).map(InputObject::describe);
        let name = owner.as_deref().unwrap_or("the definition");
        let place = places.line(own.span());
        for field in &settable {
            notes.push(format!("{name} ({place}) can set it with `{field}`"));
        }
    }
    if settable.is_empty() && removers.is_empty() {
        notes.push("no field of a definition sets it".to_owned());
    }
}

/// Returns a message if the next step of a path cannot be a step from the last node that exists.
fn problem_of_path(found: &Found<'_>) -> Option<String> {
    let step = found.missing.first()?;
    if let PathStep::Field(name) | PathStep::Key(name) = step
        && name.is_empty()
    {
        return Some("the path contains an empty key".to_owned());
    }
    let Content::List(items) = found.node.content() else { return None };
    let list: FieldPath = found.path.iter().cloned().collect();
    match (step, items) {
        (PathStep::Index(_), []) => Some(format!("`{list}` has no items")),
        (PathStep::Index(_), [_]) => Some(format!("`{list}` has one item, `{list}[0]`")),
        (PathStep::Index(_), [.., _]) => {
            Some(format!("`{list}` has {} items, up to `{list}[{}]`", items.len(), items.len() - 1))
        }
        (PathStep::Field(field), _) => {
            Some(format!("`{list}` is a list: name an item, such as `{list}[0].{field}`"))
        }
        (PathStep::Key(_), _) => None,
    }
}

/// For each step of a path, whether it leads to an item of a list, according to the type of the
/// object. The result is shorter than the path if it leads below a field without a schema. Returns
/// a message if the type does not have the field.
fn lists_on(
    object: &Object,
    custom: &CustomKinds<'_>,
    path: &[PathStep],
) -> Result<Vec<bool>, String> {
    let gvk = &object.gvk;
    let root = match custom.find(&gvk.group, &gvk.kind) {
        Some(kind) => kind.served(&gvk.version).map(|it| it.root),
        None => store::kind(&gvk.group, &gvk.version, &gvk.kind)
            .and_then(|kind| kind.definition.map(Type::Object)),
    };
    let mut lists = Vec::new();
    let Some(mut ty) = root else { return Ok(lists) };
    for step in path {
        let name = match step {
            PathStep::Field(name) | PathStep::Key(name) => &**name,
            PathStep::Index(_) => "",
        };
        lists.push(matches!(ty.base(), Type::List(_)));
        ty = match ty.base() {
            Type::List(list) => list.items,
            Type::Map(values) => *values,
            Type::Object(fields) => match fields.property(name) {
                Some(property) => property.value,
                None if fields.others.is_some() => return Ok(lists),
                None => {
                    let known = fields.properties.iter().map(|it| it.name);
                    let help = did_you_mean(name, known)
                        .map_or_else(String::new, |help| format!(": {}", help.as_prose()));
                    return Err(format!("unknown field `{name}`{help}"));
                }
            },
            Type::Any => return Ok(lists),
            _ => return Err(format!("`{name}` is below a value that has no fields")),
        };
    }
    Ok(lists)
}

/// A part of a definition, as notes show it: its location, the definition and the field.
fn describe_part(bench: &Bench<'_, '_>, places: &Places<'_>, part: &Part) -> String {
    let Some(root) = bench.root(part.definition) else { return String::new() };
    let owner = places.owner(root.span());
    let (field, entry) = path_and_entry(root, &part.route);
    let place = entry.map_or_else(|| root.span(), |entry| entry.key_origin().span());
    let scalar = entry.map(|entry| &entry.value).filter(|value| is_scalar(value));
    let value = scalar.map_or_else(String::new, |value| format!(": {}", scalar_text(value)));
    format!("{}: {owner} `{field}{value}`", places.line(place))
}

const fn is_scalar(node: &Node) -> bool {
    !matches!(node.value, Value::Map(_) | Value::List(_))
}

/// The path of a part, and the last map entry on it.
fn path_and_entry<'n>(root: &'n Node, route: &[At]) -> (FieldPath, Option<&'n Entry>) {
    let (mut node, mut steps, mut last) = (root, Vec::new(), None);
    for step in route {
        match step {
            At::Entry(at) => {
                let Some(entry) = node.entries().get(*at) else { break };
                steps.push(step_of(&entry.key));
                (node, last) = (&entry.value, Some(entry));
            }
            At::Item(at) => {
                let Some(item) = node.items().get(*at) else { break };
                steps.push(PathStep::Index(*at));
                node = item;
            }
        }
    }
    (steps.into_iter().collect(), last)
}

/// The absent steps as a route. An absent item can only be identified by its name.
fn picks_of_missing(missing: &[PathStep], lists: impl Iterator<Item = bool>) -> Vec<Pick> {
    let pick = |(step, is_list): (&PathStep, bool)| match step {
        PathStep::Field(name) | PathStep::Key(name) if is_list => {
            Pick::Item(vec![("name", name.to_string())])
        }
        PathStep::Field(name) | PathStep::Key(name) => Pick::Key(name.to_string()),
        PathStep::Index(at) => Pick::Index(*at),
    };
    missing.iter().zip(lists.chain(std::iter::repeat(false))).map(pick).collect()
}

/// Entries that are null and whose fields are the last ones of the path.
fn find_nulls(bench: &Bench<'_, '_>, path: &[PathStep]) -> Vec<Part> {
    let asked = field_names(path);
    let mut found = Vec::new();
    for definition in bench.definitions() {
        let Some(root) = bench.root(*definition) else { continue };
        each_entry(root, &mut Vec::new(), &mut |route, entry| {
            if !entry.value.is_null() {
                return;
            }
            let (steps, _) = path_and_entry(root, route);
            let names = field_names(steps.steps());
            if let [_, "podOverrides", own @ ..] | [_, own @ ..] = names.as_slice()
                && !own.is_empty()
                && asked.ends_with(own)
            {
                found.push(Part { definition: *definition, route: route.to_vec() });
            }
        });
    }
    found
}

fn each_entry(node: &Node, route: &mut Vec<At>, visit: &mut impl FnMut(&[At], &Entry)) {
    for (at, entry) in node.entries().iter().enumerate() {
        route.push(At::Entry(at));
        visit(route, entry);
        each_entry(&entry.value, route, visit);
        route.pop();
    }
    for (at, item) in node.items().iter().enumerate() {
        route.push(At::Item(at));
        each_entry(item, route, visit);
        route.pop();
    }
}

/// The smallest parts of definitions whose removal makes the field appear, each with the value that
/// appears.
fn find_removers(bench: &mut Bench<'_, '_>, picks: &[Pick]) -> Vec<(Part, Node)> {
    let mut found = Vec::new();
    for definition in bench.definitions().to_vec() {
        let spec = bench.root(definition).and_then(|root| {
            let at = root.entries().iter().position(|entry| entry.key == "spec")?;
            Some(Part { definition, route: vec![At::Entry(at)] })
        });
        let mut open = spec.map_or_else(Vec::new, |part| children_of(bench, &part));
        while let Some(part) = open.pop() {
            let Some(value) = bench.without(&part).and_then(|root| walk(&root, picks).cloned())
            else {
                continue;
            };
            let mut below = children_of(bench, &part);
            below.retain(|child| {
                bench.without(child).is_some_and(|root| walk(&root, picks).is_some())
            });
            if below.is_empty() && !is_identity_of_item(bench, &part) {
                found.push((part, value));
            } else {
                open.extend(below);
            }
        }
    }
    found.compact_sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Whether a part identifies an item of its list. Removing this part removes the item, so the item
/// is reported instead.
fn is_identity_of_item(bench: &Bench<'_, '_>, part: &Part) -> bool {
    let Some(root) = bench.root(part.definition) else { return false };
    let key = path_and_entry(root, &part.route).1.map(|entry| entry.key.as_str());
    let is_in_item = matches!(part.route.as_slice(), [.., At::Item(_), At::Entry(_)]);
    is_in_item && key.is_some_and(is_identity_field)
}

fn children_of(bench: &Bench<'_, '_>, part: &Part) -> Vec<Part> {
    let node = bench.root(part.definition).and_then(|root| node_at(root, &part.route));
    let Some(node) = node else { return Vec::new() };
    let entries = (0..node.entries().len()).map(At::Entry);
    let items = (0..node.items().len()).map(At::Item);
    let child = |step| Part {
        definition: part.definition,
        route: part.route.iter().copied().chain([step]).collect(),
    };
    entries.chain(items).map(child).collect()
}

/// The fields of the object's own definition that set the path, found by trial.
fn settable_fields(bench: &mut Bench<'_, '_>, picks: &[Pick], path: &[PathStep]) -> Vec<FieldPath> {
    let Some(kind) = bench.kind_of_own() else { return Vec::new() };
    let Some(spec) = kind.document.property("spec").map(|it| it.value) else { return Vec::new() };
    let Type::Object(spec_type) = spec.base() else { return Vec::new() };
    let mut found: Vec<FieldPath> = Vec::new();
    for start in 1..path.len() {
        let (Some(PathStep::Field(first)), Some(rest @ [_, after @ ..])) =
            (path.get(start), picks.get(start..))
        else {
            continue;
        };
        for property in spec_type.properties {
            let name = Pick::Key(property.name.to_owned());
            let is_same = property.name == &**first;
            // `podSecurityContext` is `securityContext` of the Pod.
            let is_renamed = ends_with_capital(property.name, first);
            if is_same || is_renamed {
                let field = [std::slice::from_ref(&name), after].concat();
                found.extend(try_field(bench, spec, picks, &field));
            }
            if matches!(property.value.base(), Type::Object(_)) {
                found.extend(try_field(bench, spec, picks, &[&[name], rest].concat()));
            }
        }
    }
    found.compact_sort_by_key(|path| (path.steps().len(), path.to_string()));
    found.dedup();
    found
}

fn ends_with_capital(name: &str, field: &str) -> bool {
    let mut letters = field.chars();
    let capital = letters.next().map(|it| it.to_ascii_uppercase()).into_iter().chain(letters);
    name.ends_with(&capital.collect::<String>())
}

/// Returns the field if a value set in it appears in the object.
fn try_field(
    bench: &mut Bench<'_, '_>,
    spec: Type<'static>,
    picks: &[Pick],
    field: &[Pick],
) -> Option<FieldPath> {
    let root = bench.root(bench.own())?;
    let origin = Origin::source(root.span().end_point());
    let value = sample_value(type_at(spec, field)?, origin)?;
    let mut changed = root.clone();
    let spec_node = changed.get_mut("spec")?;
    insert_value(spec_node, field, value, origin)?;
    let own = bench.own();
    let before = bench.replace(own, changed)?;
    let object = bench.object();
    bench.replace(own, before);
    walk(&object?, picks)?;
    let steps = field.iter().map(|pick| match pick {
        Pick::Key(key) => step_of(key),
        Pick::Item(fields) => PathStep::Key(fields.first().map_or("", |field| &field.1).into()),
        Pick::Index(at) => PathStep::Index(*at),
    });
    Some(std::iter::once(PathStep::Field("spec".into())).chain(steps).collect())
}

fn type_at(ty: Type<'static>, picks: &[Pick]) -> Option<Type<'static>> {
    picks.iter().try_fold(ty, |ty, pick| match (ty.base(), pick) {
        (Type::List(list), Pick::Item(_)) => Some(list.items),
        (Type::Map(values), Pick::Key(_)) => Some(*values),
        (Type::Object(fields), Pick::Key(key)) => fields.property(key).map(|it| it.value),
        _ => None,
    })
}

/// A sample value of a type.
fn sample_value(ty: Type<'_>, origin: Origin) -> Option<Node> {
    Some(match ty.base() {
        Type::Bool => Node::bool(true, origin),
        Type::Int32 | Type::Int64 | Type::Number | Type::IntOrString => Node::int(1, origin),
        Type::String(_) | Type::NameOr(_) => Node::string("x", origin),
        Type::Quantity => Node::string("1", origin),
        Type::Enum(values) | Type::Choice(values) => Node::string(values.first()?.value, origin),
        Type::List(list) => Node::list(sample_value(list.items, origin), origin),
        Type::Map(values) => {
            let mut map = Node::map(origin);
            map.set("x", sample_value(*values, origin)?);
            map
        }
        Type::Object(fields) => {
            let mut map = Node::map(origin);
            for property in fields.properties.iter().filter(|it| it.is_required) {
                map.set(property.name, sample_value(property.value, origin)?);
            }
            map
        }
        Type::Any | Type::Reference(_) | Type::Constrained(_) => return None,
    })
}

/// Sets a value below a node. Creates missing parents.
fn insert_value(node: &mut Node, picks: &[Pick], value: Node, origin: Origin) -> Option<()> {
    let Some((pick, rest)) = picks.split_first() else {
        *node = value;
        return Some(());
    };
    let empty = || match rest.first() {
        Some(Pick::Item(_)) => Node::list([], origin),
        _ => Node::map(origin),
    };
    match (pick, &mut node.value) {
        (Pick::Key(key), Value::Map(map)) => {
            if map.get(key).is_none_or(Node::is_null) {
                map.insert(key.as_str(), origin, empty());
            }
            insert_value(map.get_mut(key)?, rest, value, origin)
        }
        (Pick::Item(fields), Value::List(items)) => {
            let has = |item: &Node| {
                fields
                    .iter()
                    .all(|(key, text)| item.get(key).map(scalar_text).as_ref() == Some(text))
            };
            if !items.iter().any(has) {
                let mut item = Node::map(origin);
                for (key, text) in fields {
                    let number = text.parse().ok().filter(|_| *key == "containerPort");
                    let node = number.map_or_else(
                        || Node::string(text.as_str(), origin),
                        |number| Node::int(number, origin),
                    );
                    item.set(*key, node);
                }
                items.push(item);
            }
            insert_value(items.iter_mut().find(|item| has(item))?, rest, value, origin)
        }
        _ => None,
    }
}
