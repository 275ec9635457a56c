//! The time zones that an API server knows: the names of the IANA database, including older
//! spellings.

/// The sorted names, separated by spaces and line feeds: those of the database that Go contains.
static NAMES: &str = include_str!("time_zone/names.txt");

/// Whether there is a time zone with this name. Names are case-sensitive.
pub fn is_time_zone(name: &str) -> bool {
    time_zones().any(|zone| zone == name)
}

/// All time zones, in order.
pub fn time_zones() -> impl Iterator<Item = &'static str> {
    NAMES.split_ascii_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_known_by_their_exact_name() {
        for name in ["UTC", "Etc/UTC", "Europe/Berlin", "America/Argentina/Ushuaia", "EST5EDT"] {
            assert!(is_time_zone(name), "{name}");
        }
        for name in ["", "utc", "Local", "europe/berlin", "Europe", "UTC+1", "Etc/GMT+15"] {
            assert!(!is_time_zone(name), "{name}");
        }
    }

    #[test]
    fn the_list_is_sorted_and_has_each_name_once() {
        assert!(time_zones().zip(time_zones().skip(1)).all(|(one, next)| one < next));
    }
}
