//! Expressions with the verdicts of the API server's own environment, recorded by `tools/oracle`.

use std::sync::Arc;

use serde::Deserialize as _;
use serde_json::Value as Json;

use super::evaluate::Machine;
use super::value::Value;
use super::{
    Activation, Answer, Environment, Inputs, Refusal, Shape, Stop, Variables, Wanted, check, cost,
    literals, parser,
};
use crate::limits::Fuel;
use crate::sorted::SortedMap;
use crate::source::Workspace;
use crate::tree::{Node, Origin};

/// The release of the recording.
const RECORDED: u32 = 36;

/// Expressions that are reported as not checked: protobuf messages, numbers formatted for a locale,
/// time zone names, and some message strings.
const NOT_DECIDED: &[&str] = &[
    "google.protobuf.Timestamp{seconds: 1}",
    "google.protobuf.Duration{seconds: 90}",
    "google.protobuf.Int64Value{value: 1}",
    "'%e'.format([1500.0])",
    "'%.1e'.format([1500.0])",
    "self.time.getHours('America/New_York')",
    "self.time.getHours('Nowhere')",
];

/// Expressions whose results contain our own wording.
const WORDING: &str = "format.dns1123Label().validate('A_b').value()";

fn node(text: &str) -> Node {
    let json = Json::deserialize(serde_yaml::Deserializer::from_str(text)).unwrap();
    Node::from_json(json, Origin::source(Workspace::new().start()))
}

/// An object of the recorded schema, built from its defaults.
fn object() -> Node {
    let mut object = node(include_str!("../../../../fixtures/cel/object.yaml"));
    object.set("preset", Node::int(7, object.origin()));
    object
}

fn shape() -> Arc<Shape> {
    Shape::of(&node(include_str!("../../../../fixtures/cel/schema.yaml")), true).unwrap()
}

struct Verdict {
    cost: u64,
    value: Result<String, Stop>,
}

fn judge(text: &str, shape: &Arc<Shape>, object: &Node, minor: u32) -> Result<Verdict, Refusal> {
    judge_within(text, shape, object, minor, &Fuel::of_run(0).document())
}

fn judge_within(
    text: &str,
    shape: &Arc<Shape>,
    object: &Node,
    minor: u32,
    fuel: &Fuel<'_>,
) -> Result<Verdict, Refusal> {
    let (mut expression, count) = parser::parse(text, minor)?;
    let value = shape.type_of();
    let variables = [("self", value.clone()), ("oldSelf", value)];
    let checked = check::check(&expression, count, &variables, minor)?;
    let patterns = literals::check(&mut expression, &checked)?;
    let cost = cost::most(&expression, &checked, shape);
    let value = Value::of(object, shape).unwrap();
    let mut machine = Machine::new(vec![("self", value)], &patterns, 1_000_000, fuel);
    let result = machine.run(&expression);
    Ok(Verdict { cost, value: result.and_then(|value| show(&value)) })
}

/// Formats a value as the recorder does.
fn show(value: &Value<'_>) -> Result<String, Stop> {
    Ok(match value {
        Value::Null => "null".to_owned(),
        Value::Bool(it) => it.to_string(),
        Value::Int(it) => it.to_string(),
        Value::Uint(it) => it.to_string(),
        Value::Double(it) if it.is_infinite() => "+Inf".to_owned(),
        Value::Double(it) => it.to_string(),
        Value::String(it) => format!("{it:?}"),
        Value::Bytes(it) => {
            std::str::from_utf8(&it.decoded()).map_or("bytes".to_owned(), ToOwned::to_owned)
        }
        Value::Time(it) => it.print(),
        Value::Duration(it) => it.print(),
        Value::Address(it) => it.to_string(),
        Value::Block(it) => format!("{}/{}", it.0, it.1),
        Value::Type(it) => it.to_string(),
        Value::Optional(None) => "none".to_owned(),
        Value::Optional(Some(it)) => format!("optional {}", show(it)?),
        Value::List(list) => {
            let items: Result<Vec<_>, _> = list.items()?.iter().map(show).collect();
            format!("[{}]", items?.join(", "))
        }
        Value::Map(map) => {
            let mut entries = Vec::new();
            for (key, value) in map.entries() {
                if let Some(value) = value? {
                    entries.push(format!("{}: {}", show(&key.value())?, show(&value)?));
                }
            }
            entries.sort();
            format!("{{{}}}", entries.join(", "))
        }
        other => other.type_name().to_owned(),
    })
}

/// Compares with the recording: whether the expression is accepted, its estimated cost, and its
/// value.
fn difference(recorded: &Json, shape: &Arc<Shape>, object: &Node) -> Option<String> {
    let text = |key: &str| recorded[key].as_str().unwrap_or("");
    let (expression, refused) = (text("expression"), text("refused"));
    let is_decided = !NOT_DECIDED.contains(&expression);
    let verdict = match judge(expression, shape, object, RECORDED) {
        Err(it) if it.is_undecided && !is_decided => return None,
        Err(it) if it.is_undecided || refused.is_empty() => {
            return Some(format!("refused: {}", it.message));
        }
        Err(_) => return None,
        Ok(_) if !refused.is_empty() => return Some(format!("taken; recorded: {refused}")),
        Ok(verdict) => verdict,
    };
    let cost = recorded["cost"].as_u64().unwrap_or(0);
    if verdict.cost != cost {
        return Some(format!("costs {}; recorded: {cost}", verdict.cost));
    }
    match verdict.value {
        Err(Stop::Unsupported(_)) if !is_decided => None,
        Ok(_) if expression == WORDING => None,
        Ok(value) if text("error").is_empty() && value == text("value") => None,
        Err(Stop::Error(_)) if !text("error").is_empty() => None,
        other => Some(format!("{other:?}; recorded: {}{}", text("value"), text("error"))),
    }
}

fn recording() -> impl Iterator<Item = Json> {
    include_str!("../../../../fixtures/cel/verdicts.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
}

#[test]
fn expressions_evaluate_as_on_the_api_server() {
    let (shape, object) = (shape(), object());
    let mut differences = Vec::new();
    for recorded in recording() {
        if let Some(it) = difference(&recorded, &shape, &object) {
            differences.push(format!("{}: {it}", recorded["expression"]));
        }
    }
    assert_eq!(differences.join("\n"), "");
}

#[test]
fn each_release_has_its_functions() {
    let (shape, object) = (shape(), object());
    for recorded in recording() {
        let expression = recorded["expression"].as_str().unwrap();
        let is_taken = |minor| judge(expression, &shape, &object, minor).is_ok();
        let differs = recorded["differs"].as_array();
        for minor in 33..=37 {
            let name = format!("1.{minor}");
            let is_other =
                differs.is_some_and(|all| all.iter().any(|other| *other == name.as_str()));
            let expected = is_taken(RECORDED) != is_other;
            assert_eq!(is_taken(minor), expected, "{expression} on {name}");
        }
    }
}

#[test]
fn hostile_expressions_terminate() {
    let (shape, object) = (shape(), object());
    let sum = vec!["1"; 8000].join(" + ");
    let fields = format!("self{}", ".a".repeat(16_000));
    let long = "1".repeat(100_000);
    let calls = format!("self.text{}", ".trim()".repeat(4000));
    let negated = format!("{}true", "!".repeat(10_000));
    let lists = format!("{}{}", "[".repeat(250), "]".repeat(250));
    let chain = vec!["true"; 3000].join(" && ");
    for text in [sum, fields, long, calls, negated, lists, chain] {
        if let Err(refusal) = judge(&text, &shape, &object, RECORDED) {
            assert!(refusal.is_undecided, "{}", refusal.message);
        }
    }
    // 24 to the power of 6 iterations.
    let loops = "lists.range(24).all(a, ".repeat(6) + "true" + &")".repeat(6);
    let verdict = judge(&loops, &shape, &object, RECORDED).unwrap();
    assert_eq!(verdict.value, Err(Stop::Exhausted));
    let grown = "lists.range(30).map(a, self.long).join(self.long).split('')".to_owned()
        + &".map(b, self.long + self.long)".repeat(8);
    let verdict = judge(&grown, &shape, &object, RECORDED).unwrap();
    assert!(verdict.value.is_ok() || verdict.value == Err(Stop::Exhausted));
}

/// cel-go rejects these: "mismatched input" and "expression recursion limit exceeded: 250".
#[test]
fn brackets_are_counted_beyond_the_depth_that_is_parsed() {
    let nested = |opening: &str, inner: &str, closing: &str, count: usize| {
        format!("{}{inner}{}", opening.repeat(count), closing.repeat(count))
    };
    for (text, message) in [
        ("[".repeat(200), "missing `]`"),
        (nested("(", "1", ")", 150) + ")", "unexpected `)`"),
        (nested("(", "1", "]", 150), "unexpected `]`"),
        (nested("[", "", "]", 251), "brackets are nested in more than 250 levels"),
        (nested("(", "1", ")", 5000), "brackets are nested in more than 250 levels"),
        (nested("{1: ", "1", "}", 5000), "brackets are nested in more than 250 levels"),
    ] {
        let refusal = parser::parse(&text, RECORDED).unwrap_err();
        assert_eq!((refusal.message.as_str(), refusal.is_undecided), (message, false));
    }
}

/// The API server accepts rules over lists of this length; their cost grows with the length only.
#[test]
fn long_lists_are_within_the_budget() {
    let shape = shape();
    let mut object = object();
    let origin = object.origin();
    let words: Vec<_> = (0..10_000).map(|at| Node::string(format!("word-{at}"), origin)).collect();
    object.set("unbounded", Node::list(words, origin));
    for text in [
        "self.unbounded.map(x, x + x).size() == 10000",
        "self.unbounded.filter(x, x.endsWith('7')).size() == 1000",
        "self.unbounded.all(x, x.matches('^word-[0-9]+$'))",
        "self.unbounded.transformMap(i, x, i).size() == 10000",
        "self.unbounded.exists(x, x == 'word-9999') && 'word-5' in self.unbounded",
    ] {
        let verdict = judge(text, &shape, &object, RECORDED).unwrap();
        assert_eq!(verdict.value, Ok("true".to_owned()), "{text}");
    }
    let verdict =
        judge("self.unbounded.all(x, x in self.unbounded)", &shape, &object, RECORDED).unwrap();
    assert_eq!(verdict.value, Err(Stop::Exhausted));
}

/// A search for each key of a map is within the limit of work, which counts what is read.
#[test]
fn large_maps_are_searched_by_key() {
    let shape = shape();
    let mut object = object();
    let origin = object.origin();
    let mut counts = Node::map(origin);
    (0..2000).for_each(|at| counts.set(format!("key-{at}"), Node::int(at, origin)));
    object.set("counts", counts);
    for (text, value) in [
        ("self.counts.all(k, k in self.counts && self.counts[k] >= 0)", "true"),
        ("self.counts.all(k, v, self.counts[k] == v)", "true"),
        ("self.counts.map(k, self.counts[?k].orValue(-1)).sum() == 1999000", "true"),
        ("self.counts == self.counts", "true"),
        ("'key-2000' in self.counts || has(self.counts.absent)", "false"),
        ("self.counts[?'key-2000'].hasValue()", "false"),
    ] {
        let verdict = judge(text, &shape, &object, RECORDED).unwrap();
        assert_eq!(verdict.value, Ok(value.to_owned()), "{text}");
    }
    let absent = judge("self.counts['key-2000'] == 1", &shape, &object, RECORDED).unwrap();
    assert_eq!(absent.value, Err(Stop::error("no such key: key-2000")));
}

/// The value of an expression for a string.
fn value_for(text: &str, expression: &str) -> Result<String, Stop> {
    let schema = "type: object\nproperties:\n  text: {type: string}\n";
    let shape = Shape::of(&node(schema), true).unwrap();
    judge(expression, &shape, &node(&format!("text: '{text}'\n")), RECORDED).unwrap().value
}

/// A sixteenth of the fuel of a document: what is too much is a sixteenth as well, and takes as little time.
fn little() -> Fuel<'static> {
    Fuel::of(Fuel::of_run(0).document().most() / 16)
}

#[test]
fn values_that_contain_others_many_times_are_not_read() {
    // Each step doubles the items: 2^12 and 2^40.
    let doubled = |steps: usize| format!("[0]{}", ".map(x, [x, x])".repeat(steps));
    let shape = Shape::of(&node("type: object\n"), true).unwrap();
    for (steps, is_read) in [(12, true), (40, false)] {
        let list = doubled(steps);
        for expression in [
            format!("{list} == {list}"),
            format!("{list} in [{list}]"),
            format!("[{list}].indexOf({list}) == 0"),
            format!("sets.contains([{list}], [{list}])"),
            format!("[{list}].distinct().size() == 1"),
            format!("'%s'.format([{list}]).size() > 1"),
        ] {
            let verdict = judge_within(&expression, &shape, &node("{}"), RECORDED, &little());
            match verdict.unwrap().value {
                Ok(it) => assert!(is_read && it == "true", "{expression}: {it}"),
                Err(stop) => {
                    assert!(!is_read && stop == Stop::Exhausted, "{stop:?}");
                }
            }
        }
    }
}

#[test]
fn text_and_lists_that_multiply_are_not_made() {
    for (length, is_made) in [(500, true), (20_000, false)] {
        let text = "a".repeat(length);
        for expression in [
            "self.text.replace('a', self.text).size() > 0",
            "self.text.replace('', self.text).size() > 0",
            "self.text.split('').map(x, self.text).join().size() > 0",
            "self.text.split('').join(self.text).size() > 0",
            "self.text.split('').map(x, self.text.split('')).flatten().size() > 0",
        ] {
            match value_for(&text, expression) {
                Ok(it) => assert!(is_made && it == "true", "{expression}: {it}"),
                Err(stop) => {
                    assert!(!is_made && !matches!(stop, Stop::Error(_)), "{expression}: {stop:?}");
                }
            }
        }
    }
}

#[test]
fn regular_expressions_of_values_are_limited() {
    for (expression, is_checked) in [
        // Each is compiled once.
        ("lists.range(1000).exists(x, self.text.matches(string(x)))", true),
        ("lists.range(20000).exists(x, self.text.matches(string(x)))", false),
        ("lists.range(20000).exists(x, self.text.matches(string(x) + '{2}'))", false),
        // Few that are used many times are kept.
        ("lists.range(20000).all(x, ['a.*', 'ab.*'].all(y, self.text.matches(y + '')))", true),
    ] {
        let value = value_for("abc", expression);
        match value {
            Ok(_) => assert!(is_checked, "{expression}"),
            Err(stop) => {
                assert!(!is_checked && stop == Stop::Exhausted, "{expression}: {stop:?}");
            }
        }
    }
}

#[test]
fn the_characters_of_a_long_text_are_counted_a_limited_number_of_times() {
    let length = 1 << 20;
    for (times, is_counted) in [(10_000, true), (14_000, false)] {
        let expression = format!("lists.range({times}).all(x, self.text.size() > 0)");
        let value = value_for(&"a".repeat(length), &expression);
        assert_eq!(value.is_ok(), is_counted, "{times}: {value:?}");
    }
}

/// A short expression can have a type of any size, whose parts are many or hidden in parameters.
#[test]
fn types_of_any_size_are_not_resolved() {
    let doubled = |count: usize| format!("[1]{}.size() > 0", ".map(a, {a: a})".repeat(count));
    let name = |at: usize| format!("a{at}");
    let hidden = |count: usize| {
        let loops: Vec<_> = (0..count).map(|at| format!("[].map({}, ", name(at))).collect();
        let equal = (1..count).map(|at| {
            let (outer, inner) = (name(at - 1), name(at));
            format!("[[{outer}], [{{{inner}: {inner}}}]].size()")
        });
        let equal: Vec<_> = equal.collect();
        format!(
            "{}[{}, [a0].size()]{}.size() >= 0",
            loops.concat(),
            equal.join(", "),
            ")".repeat(count)
        )
    };
    let nested = |count: usize| format!("[1]{}.size() > 0", ".map(a, [a])".repeat(count));
    for (text, is_checked) in [
        (doubled(4), true),
        (doubled(12), false),
        (hidden(4), true),
        (hidden(30), false),
        (nested(40), true),
        (nested(60), false),
    ] {
        let refusal = judge(&text, &shape(), &object(), RECORDED).err();
        let message =
            refusal.as_ref().map(|refusal| (refusal.message.as_str(), refusal.is_undecided));
        let expected = (!is_checked).then_some(("a type of this size", true));
        assert_eq!(message, expected, "{text}");
    }
}

/// An assignment that fails leaves no parameter resolved.
#[test]
fn overloads_that_do_not_fit_have_no_effect() {
    let many = format!("[{}].size() == 300", vec!["[1] + [2] == [3]"; 300].join(", "));
    let verdict = judge(&many, &shape(), &object(), RECORDED).unwrap();
    assert_eq!(verdict.value, Ok("true".to_owned()));
}

#[test]
fn searches_and_bytes_are_limited() {
    let data = |count: usize| {
        let entries: Vec<_> = (0..count).map(|at| format!("  k{at}: v\n")).collect();
        let entries = entries.concat();
        format!(
            "text: '{}'\nbytes: '{}'\ndata:\n{entries}",
            "A".repeat(count),
            "YWFh".repeat(count)
        )
    };
    let schema = "type: object\nproperties:\n  text: {type: string}\n  bytes: {type: string, format: byte}\n  \
                  data: {type: object, additionalProperties: {type: string}}\n";
    let shape = Shape::of(&node(schema), true).unwrap();
    let (small, large) = (node(&data(100)), node(&data(3_000)));
    for expression in [
        "self.text.findAll('.*[^A-Z]|[A-Z]').size() > 0",
        "lists.range(2000).all(x, has(self.bytes) && self.bytes.size() > 0)",
        "lists.range(400).all(x, [1].transformMapEntry(i, v, self.data).size() > 0)",
        "lists.range(400).all(x, self.data == self.data)",
        "lists.range(40).all(x, '%s'.format([self.data]) != '')",
    ] {
        let value = |object: &Node| {
            judge_within(expression, &shape, object, RECORDED, &little()).unwrap().value
        };
        assert_eq!(value(&small), Ok("true".to_owned()), "{expression}");
        assert_eq!(value(&large), Err(Stop::Exhausted), "{expression}");
    }
}

/// The values of variables that are used one after the other contain each other.
#[test]
fn variables_that_contain_each_other_are_limited() {
    let mut environment = Environment::new(false, false).with_variables(Variables::default());
    let mut variables = SortedMap::new();
    for at in 0..300_usize {
        let before = if at == 0 { "1".to_owned() } else { format!("dyn(variables.v{})", at - 1) };
        let compiled = environment.compile(&format!("[{before}]"), Wanted::Any).unwrap();
        environment.define(&format!("v{at}"), Some(&compiled));
        variables.insert(format!("v{at}").into(), compiled);
    }
    let inputs = Inputs::default();
    let fuel = Fuel::of(1_000_000);
    let activation = Activation::new(&inputs, &variables, 1_000_000, &fuel);
    let results = (0..300).map(|at| {
        let text = format!("variables.v{at}.size() == 1");
        activation.evaluate(&environment.compile(&text, Wanted::Bool).unwrap())
    });
    let results: Vec<_> = results.collect();
    let count = results.iter().take_while(|result| **result == Ok(Answer::Bool(true))).count();
    assert!((50..150).contains(&count), "{count}");
    let too_deep = Err(Stop::unsupported("variables that are nested this deeply"));
    assert!(results.iter().skip(count).all(|result| *result == too_deep));
}
