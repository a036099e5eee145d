//! How much memory the system has to give.

/// Bytes that can be allocated before the system, or the container, runs out of memory; `None` if that is not known. A
/// larger allocation may succeed at first and end the process when it is used.
pub fn available_memory() -> Option<usize> {
    system_memory().into_iter().chain(container_memory()).min()
}

/// What the limit of the control group leaves. Cached files do not count as used.
fn container_memory() -> Option<usize> {
    let read = |name: &str| std::fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let (limit, used) = (number(&read("max")?)?, number(&read("current")?)?);
    let files = read("stat")?.lines().find_map(|line| number(line.strip_prefix("file ")?))?;
    Some(limit.saturating_sub(used.saturating_sub(files)))
}

/// What Linux says is available.
fn system_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?.checked_mul(1024)
}
