//! The strings that YAML readers do not read as strings, recorded as automata by
//! `tools/print-oracle/doubt`.

use super::doubt::is_doubtful;
use super::scalar::write_text;

const RECORDED: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/print/doubt.txt"));

/// One reader: the smallest automaton of the strings that it does not read as strings.
struct Reader {
    name: &'static str,
    /// The number of strings.
    count: usize,
    states: Vec<State>,
}

#[derive(Default)]
struct State {
    accepts: bool,
    ways: Vec<(char, usize)>,
}

fn readers() -> Vec<Reader> {
    let mut readers: Vec<Reader> = Vec::new();
    for line in RECORDED.lines() {
        if let Some((name, count)) = line.split_once(": ") {
            let count = count.strip_suffix(" strings").unwrap().parse().unwrap();
            readers.push(Reader { name, count, states: Vec::new() });
            continue;
        }
        let mut words = line.split(' ');
        let number = words.next().unwrap();
        let mut state = State { accepts: number.ends_with('!'), ways: Vec::new() };
        for way in words {
            let (on, to) = way.rsplit_once('>').unwrap();
            let to = to.parse().unwrap();
            state.ways.extend(on.replace("\\s", " ").chars().map(|c| (c, to)));
        }
        let states = &mut readers.last_mut().unwrap().states;
        assert_eq!(number.trim_end_matches('!'), states.len().to_string());
        states.push(state);
    }
    readers
}

/// Calls `found` with each string that the automaton accepts.
fn walk(reader: &Reader, state: usize, text: &mut String, found: &mut impl FnMut(&str)) {
    if reader.states[state].accepts {
        found(text);
    }
    for (character, next) in &reader.states[state].ways {
        text.push(*character);
        walk(reader, *next, text, found);
        text.pop();
    }
}

#[test]
fn every_reader_reads_plain_strings_as_strings() {
    let readers = readers();
    assert_eq!(readers.len(), 11);
    let (mut seen, mut plain) = (0, Vec::new());
    for reader in &readers {
        let before = seen;
        walk(reader, 0, &mut String::new(), &mut |text| {
            seen += 1;
            let mut written = String::new();
            if !is_doubtful(text) {
                write_text(text, || false, 0, &mut written);
                if written == text {
                    plain.push(format!("{}: {text}", reader.name));
                }
            }
        });
        assert_eq!(seen - before, reader.count, "{}", reader.name);
    }
    assert!(
        plain.is_empty(),
        "{} strings, like {:?}",
        plain.len(),
        plain.get(..20.min(plain.len()))
    );
}

/// Ordinary strings are not quoted.
#[test]
fn unambiguous_strings_are_plain() {
    for text in [
        "a",
        "1.2.3",
        "v1",
        "0.5.1-rc.1",
        "1Gi",
        "500m",
        "10.0.0.1/8",
        "1a",
        "0xg",
        "2026-11",
        "abcdef",
        "e",
        "e2e",
        "-a",
        "12h",
    ] {
        assert!(!is_doubtful(text), "{text}");
    }
}
