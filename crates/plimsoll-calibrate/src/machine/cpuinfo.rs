//! `/proc/cpuinfo`: what the processor calls itself, and whether a hypervisor is beneath it.

/// As the processor calls itself; not every architecture tells.
pub(crate) fn model(cpuinfo: &str) -> Option<String> {
    // A few ARM kernels write `Model` once at the end, where x86 has `model name` for each core.
    ["model name", "Model"].iter().find_map(|name| field(cpuinfo, name)).map(str::to_owned)
}

/// Only x86 has a flag for it.
pub(crate) fn virtualised(cpuinfo: &str) -> Option<bool> {
    field(cpuinfo, "flags").map(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"))
}

fn field<'t>(cpuinfo: &'t str, name: &str) -> Option<&'t str> {
    let fields = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    fields.map(|(key, value)| (key.trim(), value.trim())).find(|(key, _)| *key == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected_model: Option<&str>, expected_virtualised: Option<bool>) {
        assert_eq!((model(text).as_deref(), virtualised(text)), (expected_model, expected_virtualised));
    }

    #[test]
    fn processors_of_several_kinds() {
        check(
            "processor\t: 0\nmodel\t\t: 167\nmodel name\t: Intel(R) Xeon(R) Processor\nflags\t\t: fpu hypervisor vme\n",
            Some("Intel(R) Xeon(R) Processor"),
            Some(true),
        );
        check("model name\t: AMD: one\nflags\t: fpu vme\n", Some("AMD: one"), Some(false));
        check("processor\t: 0\nCPU part\t: 0xd08\n\nModel\t\t: Raspberry Pi 4\n", Some("Raspberry Pi 4"), None);
        check("", None, None);
    }
}
