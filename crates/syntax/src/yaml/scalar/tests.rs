//! Compares the resolvers with recordings of the programs that they follow, and tests the wording
//! of readings.

use super::recorded::{json, lines as recording, normalized, of_kubernetes};
use super::*;
use crate::tree::Number;

#[test]
fn kubernetes_reads_what_its_library_reads() {
    let recorded = include_str!("../../../../../fixtures/scalars/kubernetes.tsv");
    let mut count = 0;
    for (scalar, verdict) in recording(recorded) {
        let reading = readings(scalar).kubernetes;
        let expected = of_kubernetes(verdict);
        assert_eq!(json(reading, scalar), expected, "{scalar}");
        count += 1;
    }
    assert!(count > 3_500, "{count} scalars");
}

#[test]
fn pyyaml_reads_what_pyyaml_reads() {
    let recorded = include_str!("../../../../../fixtures/scalars/pyyaml.tsv");
    for (scalar, verdict) in recording(recorded) {
        let reading = readings(scalar).pyyaml;
        match reading {
            // Base 60 and long integers are recorded as their numeric values.
            Reading::BaseSixty | Reading::LongInteger => {
                assert!(verdict.parse::<f64>().is_ok(), "{scalar}: {verdict}");
            }
            // A date that does not exist.
            Reading::Date if verdict == "error" => {}
            _ => {
                let verdict = match normalized(verdict) {
                    // Python writes a whole float with `.0`; JSON readers parse it as an integer.
                    float if float.starts_with("float") => {
                        let value = verdict.parse().expect("a float");
                        json(number::from_float(value).expect("finite").into(), scalar)
                    }
                    other => other,
                };
                assert_eq!(json(reading, scalar), verdict, "{scalar}");
            }
        }
    }
}

#[test]
fn core_schema_follows_its_table() {
    let table = [
        ("yes", Reading::Text),
        ("y", Reading::Text),
        ("True", Reading::Boolean(true)),
        ("tRUE", Reading::Text),
        ("012", Reading::Number(Number::Int(12))),
        ("0777", Reading::Number(Number::Int(777))),
        ("08", Reading::Number(Number::Int(8))),
        ("0o777", Reading::Number(Number::Int(511))),
        ("-0o7", Reading::Text),
        ("0X1f", Reading::Text),
        ("0x1f", Reading::Number(Number::Int(31))),
        ("+0x1F", Reading::Text),
        ("0b101", Reading::Text),
        ("1_000", Reading::Text),
        ("1e3", Reading::Number(Number::Int(1000))),
        ("-.5", Reading::Number(Number::Float(-0.5))),
        ("12:30:45", Reading::Text),
        ("2001-01-01", Reading::Text),
        (".inf", Reading::NotFinite),
        ("1e400", Reading::NotFinite),
        ("18446744073709551616", Reading::LongInteger),
        ("0xFFFFFFFFFFFFFFFFF", Reading::LongInteger),
        ("0x", Reading::Text),
        ("", Reading::Null),
    ];
    for (text, expected) in table {
        assert_eq!(readings(text).core_schema, expected, "{text}");
    }
}

#[test]
fn a_scalar_is_ambiguous_exactly_when_readers_differ() {
    for text in
        ["yes", "N", "012", "1_000", "0x1F_", "1e3", "12:30:45", "2001-01-01", "08", "=", "<<"]
    {
        assert!(read(text).1, "{text}");
    }
    for text in [
        "",
        "~",
        "null",
        "true",
        "0",
        "-1",
        "12",
        "1.5",
        "0x1F",
        "v1",
        "nginx:1.27",
        "no-one",
        "1.2.3",
    ] {
        assert!(!read(text).1, "{text}");
    }
    for (text, _) in recording(include_str!("../../../../../fixtures/scalars/kubernetes.tsv")) {
        let readings = readings(text);
        assert_eq!(read(text), (readings.kubernetes.into_value(text), readings.differ()), "{text}");
    }
}

#[test]
fn readings_are_worded_by_groups() {
    assert_eq!(
        readings("yes").message(),
        "Kubernetes and PyYAML read the boolean true, YAML 1.2 parsers the string `yes`"
    );
    assert_eq!(
        readings("12:30").message(),
        "Kubernetes and YAML 1.2 parsers read the string `12:30`, PyYAML a base 60 number"
    );
    assert_eq!(
        readings("08").message(),
        "Kubernetes and YAML 1.2 parsers read the number 8, PyYAML the string `08`"
    );
}

/// The frequent scalars are read without asking each reader.
#[test]
fn undoubted_scalars_are_the_same_for_all_readers() {
    let words = "y n yes no on off true false null nan inf name team type none one n1 o t f x e Mi m \
                 Gi e1 E ex e+1 Te _ i";
    let words: Vec<_> = words.split_whitespace().collect();
    let cases = [str::to_owned, str::to_uppercase, |it: &str| {
        let (first, rest) = it.split_at(1);
        first.to_uppercase() + rest
    }];
    let numbers = ["", "1", "9", "10", "250", "123456789012345678", "1234567890123456789"];
    for text in numbers.iter().flat_map(|number| {
        words.iter().flat_map(move |word| cases.map(|case| format!("{number}{}", case(word))))
    }) {
        let reading = kubernetes::read(&text);
        let is_ambiguous = reading != core_schema::read(&text) || reading != pyyaml::read(&text);
        assert_eq!(read(&text), (reading.into_value(&text), is_ambiguous), "{text}");
    }
}
