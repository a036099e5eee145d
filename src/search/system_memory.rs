//! How much memory the system has to give.

use std::fs;
use std::path::{Path, PathBuf};

/// What a control group's limit leaves.
type Reader = fn(&Path) -> Option<usize>;

/// Bytes that can be allocated before the system, or the container, runs out of memory; `None` if that is not known. A
/// larger allocation may succeed at first and end the process when it is used.
pub fn available_memory() -> Option<usize> {
    let system = system_memory().or_else(physical_memory);
    system.into_iter().chain(container_memory(Path::new("/"))).min()
}

/// What the limits of the control groups leave, of this process's own and of those around it.
fn container_memory(root: &Path) -> Option<usize> {
    let memberships = fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let left = memberships.lines().filter_map(|line| {
        // Number of the hierarchy, its controllers, and the group; version 2 has no controllers here.
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        let (mounts, read): (&[&str], Reader) = if controllers.is_empty() {
            (&["sys/fs/cgroup", "sys/fs/cgroup/unified"], left_by_version_2)
        } else if controllers.split(',').any(|controller| controller == "memory") {
            (&["sys/fs/cgroup/memory"], left_by_version_1)
        } else {
            return None;
        };
        let group = PathBuf::from(group.trim_start_matches('/'));
        // A container may see a part of the tree as its root, so that the outer groups are not to be found.
        let groups = mounts.iter().flat_map(|mount| group.ancestors().map(move |group| root.join(mount).join(group)));
        groups.filter_map(|group| read(&group)).min()
    });
    left.min()
}

/// Cached files do not count as used.
fn left_by_version_2(group: &Path) -> Option<usize> {
    left(group, ["memory.max", "memory.current"], &["file "])
}

fn left_by_version_1(group: &Path) -> Option<usize> {
    let cached = ["total_active_file ", "total_inactive_file "];
    left(group, ["memory.limit_in_bytes", "memory.usage_in_bytes"], &cached)
}

/// What the limit of a group leaves; `None` if it has none.
fn left(group: &Path, [limit, used]: [&str; 2], cached: &[&str]) -> Option<usize> {
    let read = |name: &str| fs::read_to_string(group.join(name)).ok();
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let (limit, used) = (number(&read(limit)?)?, number(&read(used)?)?);
    let statistics = read("memory.stat").unwrap_or_default();
    let of_files = |line: &str| cached.iter().find_map(|name| number(line.strip_prefix(name)?));
    let files = statistics.lines().filter_map(of_files).fold(0, usize::saturating_add);
    Some(limit.saturating_sub(used.saturating_sub(files)))
}

/// What Linux says is available.
fn system_memory() -> Option<usize> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?.checked_mul(1024)
}

/// All memory of the machine, as other systems of the family tell.
#[cfg(unix)]
fn physical_memory() -> Option<usize> {
    // SAFETY: it takes a number and returns one, -1 if it does not know.
    let ask = |name| usize::try_from(unsafe { libc::sysconf(name) }).ok();
    ask(libc::_SC_PHYS_PAGES)?.checked_mul(ask(libc::_SC_PAGESIZE)?)
}

#[cfg(not(unix))]
fn physical_memory() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// What is left with these files below the root.
    fn left_with(files: &[(&str, &str)]) -> Option<usize> {
        let root = TempDir::new().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        container_memory(root.path())
    }

    const STATISTICS: &str = "anon 5\nfile 20\ntotal_active_file 15\ntotal_inactive_file 5\n";

    #[test]
    fn limits_of_version_2_hold_for_the_groups_within() {
        let files = [
            ("proc/self/cgroup", "0::/user.slice/engine.scope\n"),
            ("sys/fs/cgroup/user.slice/memory.max", "1000\n"),
            ("sys/fs/cgroup/user.slice/memory.current", "300\n"),
            ("sys/fs/cgroup/user.slice/memory.stat", STATISTICS),
            ("sys/fs/cgroup/user.slice/engine.scope/memory.max", "max\n"),
            ("sys/fs/cgroup/user.slice/engine.scope/memory.current", "100\n"),
        ];
        assert_eq!(left_with(&files), Some(720));
        let own = ("sys/fs/cgroup/user.slice/engine.scope/memory.max", "500\n");
        assert_eq!(left_with(&[&files[..4], &[own, files[5]]].concat()), Some(400));
        // A container that sees its own group as the root.
        let files = [
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/memory.max", "1000\n"),
            ("sys/fs/cgroup/memory.current", "0\n"),
        ];
        assert_eq!(left_with(&files), Some(1000));
    }

    #[test]
    fn limits_of_version_1_count() {
        let files = [
            ("proc/self/cgroup", "5:cpu:/docker/a\n4:hugetlb,memory:/docker/a\n0::/docker/a\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "300\n"),
            ("sys/fs/cgroup/memory/memory.stat", STATISTICS),
        ];
        assert_eq!(left_with(&files), Some(720));
        let without = [files[0], ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"), files[2]];
        assert_eq!(left_with(&without), Some(9_223_372_036_854_771_712 - 300));
        assert_eq!(left_with(&[]), None);
    }

    #[cfg(unix)]
    #[test]
    fn there_is_memory() {
        assert!(available_memory().unwrap() <= physical_memory().unwrap());
        assert!(physical_memory().unwrap() > 1 << 26);
    }
}
