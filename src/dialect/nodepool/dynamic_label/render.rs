//! Computes the value of a label from a format string and a request.

use super::format_spec::{FormatSpec, check_length};
use super::{Attribute, Part, Replacement, Template, TemplateFault};
use crate::diag::message;
use crate::tree::{Node, Number, Value};

/// The reason a label has no value.
#[derive(PartialEq, Eq, Debug)]
pub(in crate::dialect::nodepool) enum Unrendered {
    /// The request has no such attribute, or the attribute no such member.
    Absent(Attribute),
    /// The value has a type that the format does not support.
    Fault(TemplateFault),
}

impl From<TemplateFault> for Unrendered {
    fn from(fault: TemplateFault) -> Self {
        Self::Fault(fault)
    }
}

impl Template {
    /// Computes the value; the caller checks whether it is a valid label value. `request` is a tree
    /// that was checked against `NodeRequest`. A request without `labels` is for `label` only.
    pub(in crate::dialect::nodepool) fn render(
        &self,
        request: Option<&Node>,
        label: &Node,
    ) -> Result<String, Unrendered> {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(literal) => text.push_str(literal),
                Part::Field(field) => {
                    let absent = Unrendered::Absent(field.attribute);
                    text.push_str(&field.render(request.ok_or(absent)?, label)?);
                }
            }
            check_length(&text)?;
        }
        Ok(text)
    }
}

impl Replacement {
    fn render(&self, request: &Node, label: &Node) -> Result<String, Unrendered> {
        let mut value = request.get(self.attribute.field());
        let mut keys = self.keys.iter().map(String::as_str);
        if self.attribute == Attribute::Labels && value.is_none() {
            value = (keys.next() == Some("0")).then_some(label);
        }
        for key in keys {
            value = value.and_then(|node| match &node.value {
                Value::List(items) => items.get(key.parse::<usize>().ok()?),
                _ => node.get(key),
            });
        }
        let node = value.ok_or(Unrendered::Absent(self.attribute))?;
        Ok(self.format(node)?)
    }

    fn format(&self, node: &Node) -> Result<String, TemplateFault> {
        if self.is_text {
            // As `str` writes it in Python.
            return self.spec.text(&self.formatted(node, &FormatSpec::default())?);
        }
        self.formatted(node, &self.spec)
    }

    fn formatted(&self, node: &Node, spec: &FormatSpec) -> Result<String, TemplateFault> {
        // ZooKeeper stores the time as a number with a fraction, whatever its digits.
        let is_time = self.attribute == Attribute::CreatedTime;
        match (&node.value, node.as_number()) {
            (Value::String(text), _) => spec.text(text),
            (Value::Bool(value), _) => spec.text(if *value { "True" } else { "False" }),
            #[expect(clippy::cast_precision_loss, reason = "what Python's JSON reader does too")]
            (_, Some(Number::Int(value))) if is_time => spec.float(value as f64),
            (_, Some(Number::Int(value))) => spec.integer(value),
            (_, Some(Number::Float(value))) => spec.float(value),
            _ => Err(TemplateFault::new(
                message!("uses {}, which a label value cannot contain", node.describe()),
                "write the key of one of its members in brackets",
            )),
        }
    }
}
