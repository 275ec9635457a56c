//! The hash with which the controllers of sandboxes turn names into label values.

/// 32-bit FNV-1a over the UTF-8 bytes of a name, as eight lowercase hex digits.
///
/// The namespace is never part of it. Two names can have the same hash, which the controllers do
/// not detect.
pub fn name_hash(name: &str) -> String {
    format!("{:08x}", name_hash_bits(name))
}

/// The same hash as a number, for comparing many names.
pub fn name_hash_bits(name: &str) -> u32 {
    const OFFSET_BASIS: u32 = 0x811c_9dc5;
    const PRIME: u32 = 0x0100_0193;
    name.bytes().fold(OFFSET_BASIS, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::name_hash;

    // Recorded from the controllers' own function.
    const RECORDED: &[(&str, &str)] = &[
        ("", "811c9dc5"),
        ("a", "e40c292c"),
        ("t1", "0844ecd6"),
        ("t2", "0744eb43"),
        ("alice", "872213e7"),
        ("bob", "86c6a0d4"),
        ("default", "933b5bde"),
        ("dev-box", "a6b0e084"),
        ("sandbox", "da1fd924"),
        ("my-sandbox", "374de8f5"),
        ("my-template", "aeae83fc"),
        ("python-pool", "ed572cc4"),
        ("python-runtime", "7c7dd1d6"),
        ("python-sandbox-template", "d274c066"),
        ("data-science", "1918d3e2"),
        ("shadow-pool-python-runtime", "28b93886"),
        ("sandbox-é", "c100cc43"),
        ("costarring", "5e4daa9d"),
        ("liquid", "5e4daa9d"),
    ];

    #[test]
    fn agrees_with_the_controllers() {
        for (name, hash) in RECORDED {
            assert_eq!(name_hash(name), *hash, "{name}");
        }
    }
}
