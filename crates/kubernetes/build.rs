//! Converts `schemas/kubernetes.json` to static tables of the types in `src/schema/model.rs`, so
//! that the program does not parse it at startup.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::{env, fs, path::Path};

use serde_json::{Map, Value};

/// In the repository, and in a package, which has a copy.
const SOURCES: [&str; 2] = ["../../schemas/kubernetes.json", "schemas/kubernetes.json"];
/// The descriptions of types and fields, next to the types.
#[cfg(feature = "descriptions")]
const DESCRIPTIONS: &str = "kubernetes-descriptions.json";
const OLDEST_MINOR: u8 = 33;
const ALL_VERSIONS: u8 = 0b1_1111;

fn main() -> Result<(), Box<dyn Error>> {
    let source = SOURCES.into_iter().find(|path| Path::new(path).exists()).ok_or("no schemas")?;
    println!("cargo::rerun-if-changed={source}");
    println!("cargo::rerun-if-changed=build.rs");
    let table: Value = serde_json::from_str(&fs::read_to_string(source)?)?;
    let definitions =
        table.get("definitions").and_then(Value::as_object).ok_or("no definitions")?;
    let definitions: BTreeMap<&str, &Value> =
        definitions.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let index = definitions.keys().enumerate().map(|(index, name)| (*name, index)).collect();
    let mut writer = Writer { index, out: String::new() };
    for (name, definition) in &definitions {
        writer.definition(name, definition).map_err(|error| format!("{name}: {error}"))?;
    }
    writer.index_of_definitions(definitions.len());
    writer.marked_fields("RETAINS_KEYS", "retainKeys", &definitions)?;
    writer.marked_fields("ATOMIC_FIELDS", "atomic", &definitions)?;
    writer.marked_fields("ZERO_IS_GOOD", "zeroIsGood", &definitions)?;
    writer.kinds(table.get("kinds").and_then(Value::as_array).ok_or("no kinds")?)?;
    let folder = env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    fs::write(Path::new(&folder).join("kubernetes.rs"), writer.out)?;
    #[cfg(feature = "descriptions")]
    compress(&Path::new(source).with_file_name(DESCRIPTIONS), Path::new(&folder))?;
    Ok(())
}

/// Writes the descriptions as the program contains them.
#[cfg(feature = "descriptions")]
fn compress(source: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    use std::io::Write as _;

    println!("cargo::rerun-if-changed={}", source.display());
    let file = fs::File::create(folder.join("descriptions.deflate"))?;
    let mut encoder = flate2::write::DeflateEncoder::new(file, flate2::Compression::best());
    encoder.write_all(&fs::read(source)?)?;
    encoder.finish()?;
    Ok(())
}

struct Writer<'t> {
    index: BTreeMap<&'t str, usize>,
    out: String,
}

impl Writer<'_> {
    fn definition(&mut self, name: &str, definition: &Value) -> Result<(), Box<dyn Error>> {
        let fields = definition.get("fields").and_then(Value::as_object).ok_or("no fields")?;
        let mut sorted: Vec<_> = fields.iter().collect();
        sorted.sort_by_key(|(name, _)| name.as_str());
        let mut properties = String::new();
        for (field, value) in sorted {
            // Newest first, so that a search by name only finds the newest variant.
            let variants =
                value.as_array().map_or_else(|| vec![value], |it| it.iter().rev().collect());
            for variant in variants {
                let text =
                    self.property(field, variant).map_err(|error| format!("{field}: {error}"))?;
                properties.push_str(&text);
            }
        }
        let number = self.index.get(name).ok_or("no index")?;
        writeln!(
            self.out,
            "static D{number}: Object<'static> = Object {{ name: {name:?}, properties: &[{properties}], \
             is_atomic: {}, others: None }};",
            is_true(definition, "atomic")
        )?;
        Ok(())
    }

    fn property(&self, name: &str, field: &Value) -> Result<String, Box<dyn Error>> {
        let default = match field.get("default") {
            Some(default) => format!("Some({:?})", default.to_string()),
            None => "None".to_owned(),
        };
        Ok(format!(
            "Property {{ name: {name:?}, prefix: {}, value: {}, is_required: {}, default: {default}, \
             versions: {} }},\n",
            prefix(name),
            self.type_of(field.get("type").ok_or("no type")?)?,
            is_true(field, "required"),
            versions(field.get("versions"))?,
        ))
    }

    fn type_of(&self, value: &Value) -> Result<String, Box<dyn Error>> {
        if let Some(name) = value.as_str() {
            return Ok(match name {
                "any" => "Type::Any".to_owned(),
                "bool" => "Type::Bool".to_owned(),
                "int32" => "Type::Int32".to_owned(),
                "int64" => "Type::Int64".to_owned(),
                "number" => "Type::Number".to_owned(),
                "int-or-string" => "Type::IntOrString".to_owned(),
                "quantity" => "Type::Quantity".to_owned(),
                "string" => "Type::String(StringFormat::Plain)".to_owned(),
                "base64" => "Type::String(StringFormat::Byte)".to_owned(),
                "time" => "Type::String(StringFormat::DateTime)".to_owned(),
                "microtime" => "Type::String(StringFormat::MicroTime)".to_owned(),
                name => {
                    let number = self.index.get(name).ok_or_else(|| format!("no type {name}"))?;
                    format!("Type::Object(&D{number})")
                }
            });
        }
        let object = value.as_object().ok_or("a type is a name or an object")?;
        if let Some(items) = object.get("list") {
            let (identity, patch) = (identity(object)?, patch(object));
            let items = self.type_of(items)?;
            return Ok(format!(
                "Type::List(&List {{ items: {items}, identity: {identity}, patch: {patch} }})"
            ));
        }
        if let Some(values) = object.get("map") {
            return Ok(format!("Type::Map(&{})", self.type_of(values)?));
        }
        let mut values = String::new();
        for value in strings(object.get("enum").ok_or("no enum")?)? {
            let (value, since) =
                value.split_once('@').map_or((value, None), |it| (it.0, Some(it.1)));
            let since = since.map(|text| Value::String(text.to_owned()));
            let versions = versions(since.as_ref())?;
            write!(values, "EnumValue {{ value: {value:?}, versions: {versions} }},")?;
        }
        Ok(format!("Type::Enum(&[{values}])"))
    }

    fn index_of_definitions(&mut self, count: usize) {
        self.out.push_str("/// Sorted by name.\nstatic DEFINITIONS: &[&Object<'static>] = &[");
        for number in 0..count {
            let _ = write!(self.out, "&D{number},");
        }
        self.out.push_str("];\n");
    }

    /// The few fields with a mark, as sorted pairs of definition and field.
    fn marked_fields(
        &mut self,
        table: &str,
        mark: &str,
        definitions: &BTreeMap<&str, &Value>,
    ) -> Result<(), Box<dyn Error>> {
        let mut marked = Vec::new();
        for (name, definition) in definitions {
            let fields = definition.get("fields").and_then(Value::as_object).ok_or("no fields")?;
            marked.extend(fields.iter().filter(|it| is_true(it.1, mark)).map(|it| (*name, it.0)));
        }
        marked.sort_unstable();
        writeln!(self.out, "static {table}: &[(&str, &str)] = &{marked:?};")?;
        Ok(())
    }

    fn kinds(&mut self, kinds: &[Value]) -> Result<(), Box<dyn Error>> {
        self.out.push_str("/// Sorted by kind, group, version.\nstatic KINDS: &[Kind] = &[");
        let mut sorted: Vec<&Value> = kinds.iter().collect();
        let key = |kind: &Value| ["kind", "group", "version"].map(|key| text(kind, key).to_owned());
        sorted.sort_by_key(|kind| key(kind));
        for kind in sorted {
            let definition = self.index.get(text(kind, "definition"));
            let definition = definition.map_or("None".to_owned(), |it| format!("Some(&D{it})"));
            let optional = |key: &str| kind.get(key).and_then(Value::as_str).map(str::to_owned);
            writeln!(
                self.out,
                "Kind {{ group: {:?}, version: {:?}, kind: {:?}, prefix: {}, definition: {definition}, \
                 is_namespaced: {}, versions: {}, deprecated: {:?}, removed: {:?}, replacement: {:?} }},",
                text(kind, "group"),
                text(kind, "version"),
                text(kind, "kind"),
                prefix(text(kind, "kind")),
                is_true(kind, "namespaced"),
                versions(kind.get("versions"))?,
                optional("deprecated"),
                optional("removed"),
                optional("replacement"),
            )?;
        }
        self.out.push_str("];\n");
        Ok(())
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The first eight bytes of a name, as `schema::prefix` returns them.
fn prefix(name: &str) -> String {
    let bytes = name.bytes().chain(std::iter::repeat(0));
    let word = bytes.take(8).fold(0_u64, |word, byte| word << 8 | u64::from(byte));
    let [one, two, three, four] = [48, 32, 16, 0].map(|bits| word >> bits & 0xffff);
    format!("0x{one:04x}_{two:04x}_{three:04x}_{four:04x}")
}

fn is_true(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or_default()
}

fn strings(value: &Value) -> Result<Vec<&str>, Box<dyn Error>> {
    let items = value.as_array().ok_or("not a list")?;
    items.iter().map(|item| item.as_str().ok_or_else(|| "not text".into())).collect()
}

fn identity(list: &Map<String, Value>) -> Result<String, Box<dyn Error>> {
    Ok(match list.get("identity") {
        None => "ListType::Atomic".to_owned(),
        Some(Value::String(_)) => "ListType::Set".to_owned(),
        Some(keys) => format!("ListType::Map(&{:?})", strings(keys)?),
    })
}

fn patch(list: &Map<String, Value>) -> String {
    let retains = list.contains_key("retainKeys");
    match (list.contains_key("merge"), list.get("key").and_then(Value::as_str)) {
        (false, _) => "PatchStrategy::Replace".to_owned(),
        (true, None) => "PatchStrategy::MergeScalars".to_owned(),
        (true, Some(key)) if retains => format!("PatchStrategy::MergeByKeyRetainKeys({key:?})"),
        (true, Some(key)) => format!("PatchStrategy::MergeByKey({key:?})"),
    }
}

/// `1.33,1.35-1.37` as a bit mask. An empty string means all versions, `none` means none.
fn versions(ranges: Option<&Value>) -> Result<String, Box<dyn Error>> {
    let mut bits = 0_u8;
    match ranges.and_then(Value::as_str) {
        None => bits = ALL_VERSIONS,
        Some("none") => {}
        Some(ranges) => {
            for range in ranges.split(',') {
                let (from, to) = range.split_once('-').unwrap_or((range, range));
                for minor in minor(from)?..=minor(to)? {
                    bits |= 1 << (minor - OLDEST_MINOR);
                }
            }
        }
    }
    Ok(format!("Versions::from_bits({bits:#b})"))
}

fn minor(version: &str) -> Result<u8, Box<dyn Error>> {
    Ok(version.strip_prefix("1.").ok_or("not 1.x")?.parse()?)
}
