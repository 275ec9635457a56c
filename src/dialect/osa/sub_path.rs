//! Paths of the server on the data volume, as paths within the volume.

/// The fault of a path that is not a directory of the data volume.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PathFault {
    /// It does not begin with `/`.
    Relative,
    /// It has a `..`.
    Backstep,
    /// It has a control character.
    Character(char),
    /// It is not below the mount path.
    Outside,
    /// It is the mount path itself.
    MountPath,
}

/// The path within the volume that the server mounts at `mount`: `depositions/x` for `/data/depositions/x`.
///
/// Both are compared component by component; the server compares them as strings, and so reads
/// `/database/x` as `base/x`.
pub(super) fn sub_path(path: &str, mount: &str) -> Result<String, PathFault> {
    let (path, mount) = (split_path(path)?, split_path(mount)?);
    match path.strip_prefix(mount.as_slice()) {
        Some([]) => Err(PathFault::MountPath),
        Some(rest) => Ok(rest.join("/")),
        None => Err(PathFault::Outside),
    }
}

/// Checks a mount path of the server: an absolute path other than the root.
pub(super) fn check_mount_path(mount: &str) -> Result<(), PathFault> {
    if split_path(mount)?.is_empty() { Err(PathFault::MountPath) } else { Ok(()) }
}

fn split_path(path: &str) -> Result<Vec<&str>, PathFault> {
    if !path.starts_with('/') {
        return Err(PathFault::Relative);
    }
    if let Some(character) = path.chars().find(|it| it.is_control()) {
        return Err(PathFault::Character(character));
    }
    let parts: Vec<_> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") { Err(PathFault::Backstep) } else { Ok(parts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_the_mount_path() {
        for (path, mount, rest) in [
            ("/data/depositions/x", "/data", "depositions/x"),
            ("/data/depositions/test", "/data/", "depositions/test"),
            ("/data//a/./b/", "/data", "a/b"),
            ("/mnt/osa/a", "/mnt/osa", "a"),
        ] {
            assert_eq!(sub_path(path, mount).as_deref(), Ok(rest), "{path}");
        }
    }

    #[test]
    fn rejects_paths_that_are_not_folders_of_the_volume() {
        for (path, fault) in [
            ("/other/path", PathFault::Outside),
            ("/database/x", PathFault::Outside),
            ("/", PathFault::Outside),
            ("/data", PathFault::MountPath),
            ("/data/.", PathFault::MountPath),
            ("/data/../etc", PathFault::Backstep),
            ("/data/a\nb", PathFault::Character('\n')),
            ("data/a", PathFault::Relative),
            ("", PathFault::Relative),
        ] {
            assert_eq!(sub_path(path, "/data"), Err(fault), "{path}");
        }
        assert_eq!(check_mount_path("/"), Err(PathFault::MountPath));
        assert_eq!(check_mount_path("data"), Err(PathFault::Relative));
        assert_eq!(check_mount_path("/data/"), Ok(()));
    }
}
