//! Serializes typed Kubernetes structs to nodes.
//!
//! Each object of a definition consists of such structs, so they are not converted to JSON first:
//! the names of their fields are constants, and are not copied.

use lean_string::LeanStr;
use serde::ser::{
    Error as _, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer,
};
use serde_json::Error;
use thin_vec::ThinVec;

use super::{Entry, Node, Number, Origin, Value};

/// Creates nodes with the same origin.
#[derive(Clone, Copy)]
pub(super) struct Nodes(pub(super) Origin);

/// A list that is not complete.
pub(super) struct Items {
    nodes: Nodes,
    items: ThinVec<Node>,
}

/// A map that is not complete.
pub(super) struct Fields {
    nodes: Nodes,
    entries: ThinVec<Entry>,
    /// The key of the next value.
    key: Option<LeanStr>,
}

impl Nodes {
    fn node(self, value: Value) -> Node {
        Node::new(value, self.0)
    }

    fn fields(self, count: usize) -> Fields {
        Fields { nodes: self, entries: ThinVec::with_capacity(count), key: None }
    }
}

/// Tuples and the variants of enums with data: no struct of Kubernetes has them.
fn unsupported() -> Error {
    Error::custom("tuples and enums with data are not supported")
}

impl Serializer for Nodes {
    type Ok = Node;
    type Error = Error;
    type SerializeSeq = Items;
    type SerializeTuple = Impossible<Node, Error>;
    type SerializeTupleStruct = Impossible<Node, Error>;
    type SerializeTupleVariant = Impossible<Node, Error>;
    type SerializeMap = Fields;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Impossible<Node, Error>;

    fn serialize_bool(self, value: bool) -> Result<Node, Error> {
        Ok(self.node(Value::Bool(value)))
    }

    fn serialize_i8(self, value: i8) -> Result<Node, Error> {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<Node, Error> {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Result<Node, Error> {
        self.serialize_i64(value.into())
    }

    fn serialize_i64(self, value: i64) -> Result<Node, Error> {
        Ok(self.node(Value::Int(value)))
    }

    fn serialize_u8(self, value: u8) -> Result<Node, Error> {
        self.serialize_i64(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<Node, Error> {
        self.serialize_i64(value.into())
    }

    fn serialize_u32(self, value: u32) -> Result<Node, Error> {
        self.serialize_i64(value.into())
    }

    fn serialize_u64(self, value: u64) -> Result<Node, Error> {
        Ok(self.node(i64::try_from(value).map_or(Value::UInt(value), Value::Int)))
    }

    fn serialize_f32(self, value: f32) -> Result<Node, Error> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<Node, Error> {
        let value = if value.is_finite() { Number::Float(value).into() } else { Value::Null };
        Ok(self.node(value))
    }

    fn serialize_char(self, value: char) -> Result<Node, Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<Node, Error> {
        Ok(self.node(Value::String(value.into())))
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<Node, Error> {
        Err(unsupported())
    }

    fn serialize_none(self) -> Result<Node, Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Node, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Node, Error> {
        Ok(self.node(Value::Null))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Node, Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Node, Error> {
        Ok(self.node(Value::String(LeanStr::from_static_str(variant))))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Node, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Node, Error> {
        Err(unsupported())
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Items, Error> {
        Ok(Items { nodes: self, items: ThinVec::with_capacity(length.unwrap_or(0)) })
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        Err(unsupported())
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Error> {
        Err(unsupported())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(unsupported())
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Fields, Error> {
        Ok(self.fields(length.unwrap_or(0)))
    }

    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Fields, Error> {
        Ok(self.fields(length))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        Err(unsupported())
    }
}

impl SerializeSeq for Items {
    type Ok = Node;
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.items.push(value.serialize(self.nodes)?);
        Ok(())
    }

    fn end(self) -> Result<Node, Error> {
        Ok(self.nodes.node(Value::List(self.items)))
    }
}

impl Fields {
    fn push(&mut self, key: LeanStr, value: Node) {
        self.entries.push(Entry::new(key, self.nodes.0, value));
    }

    fn into_node(mut self) -> Node {
        // Not every map has announced its length.
        self.entries.shrink_to_fit();
        self.nodes.node(Value::Map(self.entries.into()))
    }
}

impl SerializeMap for Fields {
    type Ok = Node;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        match key.serialize(self.nodes)?.value {
            Value::String(key) => self.key = Some(key),
            _ => return Err(Error::custom("a key must be a string")),
        }
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = self.key.take().ok_or_else(|| Error::custom("a value without a key"))?;
        let value = value.serialize(self.nodes)?;
        self.push(key, value);
        Ok(())
    }

    fn end(self) -> Result<Node, Error> {
        Ok(self.into_node())
    }
}

impl SerializeStruct for Fields {
    type Ok = Node;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let value = value.serialize(self.nodes)?;
        self.push(LeanStr::from_static_str(key), value);
        Ok(())
    }

    fn end(self) -> Result<Node, Error> {
        Ok(self.into_node())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use k8s_openapi::api::core::v1::{Container, EnvVar, PodSpec, Probe, SecurityContext};
    use k8s_openapi::apimachinery::pkg::api::resource::Quantity;

    use super::*;
    use crate::source::Workspace;

    fn origin() -> Origin {
        Origin::source(Workspace::new().start())
    }

    #[test]
    fn a_struct_is_the_same_as_by_its_json() {
        let limits = BTreeMap::from([("cpu".to_owned(), Quantity("1".to_owned()))]);
        let container = Container {
            name: "a".to_owned(),
            args: Some(vec!["x".to_owned(), "a longer string than fits in place".to_owned()]),
            env: Some(vec![EnvVar { name: "A".to_owned(), ..EnvVar::default() }]),
            liveness_probe: Some(Probe { period_seconds: Some(3), ..Probe::default() }),
            security_context: Some(SecurityContext {
                run_as_user: Some(1 << 40),
                privileged: Some(false),
                ..SecurityContext::default()
            }),
            resources: Some(k8s_openapi::api::core::v1::ResourceRequirements {
                limits: Some(limits),
                ..Default::default()
            }),
            ..Container::default()
        };
        let pod = PodSpec {
            containers: vec![container, Container::default()],
            node_selector: Some(BTreeMap::from([("b".to_owned(), "c".to_owned())])),
            ..PodSpec::default()
        };
        let json = serde_json::to_value(&pod).unwrap();
        assert_eq!(Node::from_serde(&pod, origin()).unwrap(), Node::from_json(json, origin()));
    }

    #[test]
    fn any_json_is_the_same() {
        let text = r#"{"a": [null, true, -1, 18446744073709551615, 0.5, "x"], "": {"b": {}}}"#;
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        let node = Node::from_serde(&json, origin()).unwrap();
        assert_eq!(node, Node::from_json(json, origin()));
    }

    #[test]
    fn a_key_that_is_not_a_string_is_an_error() {
        assert!(Node::from_serde(&BTreeMap::from([(true, 1)]), origin()).is_err());
    }
}
