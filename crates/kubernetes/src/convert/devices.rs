//! Device requests and slices of `resource.k8s.io/v1beta1`.

use super::edits::{Edits, Refused, check_list, items_mut, nest};
use crate::tree::{Map, Node, Value};

/// The fields of a request that are below `exactly`.
const OF_REQUEST: [(&str, &str); 7] = [
    ("deviceClassName", "deviceClassName"),
    ("selectors", "selectors"),
    ("allocationMode", "allocationMode"),
    ("count", "count"),
    ("adminAccess", "adminAccess"),
    ("tolerations", "tolerations"),
    ("capacity", "capacity"),
];

pub(super) fn claim(edits: &mut Edits<'_>) -> Result<(), Refused> {
    nest_requests(edits, &["spec", "devices", "requests"])
}

pub(super) fn claim_template(edits: &mut Edits<'_>) -> Result<(), Refused> {
    nest_requests(edits, &["spec", "spec", "devices", "requests"])
}

fn nest_requests(edits: &mut Edits<'_>, path: &[&str]) -> Result<(), Refused> {
    check_list(edits.root, path)?;
    let origin = edits.origin;
    for request in items_mut(edits.root, path) {
        if let Some(map) = request.as_map_mut() {
            nest(map, &OF_REQUEST, "exactly", origin);
        }
    }
    Ok(())
}

pub(super) fn slice(edits: &mut Edits<'_>) -> Result<(), Refused> {
    check_list(edits.root, &["spec", "devices"])?;
    for device in items_mut(edits.root, &["spec", "devices"]) {
        if let Some(map) = device.as_map_mut() {
            flatten_device(map);
        }
    }
    Ok(())
}

/// The fields of `basic` are those of the device.
fn flatten_device(device: &mut Map) {
    let Some(at) = device.position("basic") else { return };
    let Some(basic) = device.remove("basic").map(|it| it.value) else { return };
    let Node { value: Value::Map(basic), .. } = basic else { return };
    device.edit(|entries| {
        for (index, entry) in basic.into_entries().into_iter().enumerate() {
            entries.insert(at + index, entry);
        }
    });
}
