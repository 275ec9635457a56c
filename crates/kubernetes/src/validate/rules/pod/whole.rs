//! Fields of the whole Pod: its names, its DNS, its deadline.

use super::judge::PodJudge;
use crate::diag::{Diagnostic, Rule, Safety, declare_rules, message};
use crate::scalar::{
    LaxCidr, check_dns_label, check_dns_subdomain, check_qualified_name, check_search_domain,
    is_ip_address, lax_ip_address, near_dns_label,
};
use crate::tree::Node;
use crate::validate::rules::judge::{Absence, filled, is_true, items, labelled, shown, text_node};

declare_rules! {
    DEADLINE_OUT_OF_RANGE = "deadline-out-of-range", Error;
    HOST_NAME_INVALID = "host-name-invalid", Error;
    DNS_CONFIG_INVALID = "dns-config-invalid", Error;
    HOST_ALIAS_INVALID = "host-alias-invalid", Error;
    READINESS_GATE_INVALID = "readiness-gate-invalid", Error;
}

/// The first minor version that rejects nonstandard addresses (`StrictIPCIDRValidation`).
const STRICT_ADDRESS_MINOR: u8 = 36;
/// The first minor version that keeps `hostnameOverride` (`HostnameOverride`).
const OVERRIDE_MINOR: u8 = 35;
/// The first minor version with `SELinuxMount` enabled.
const SELINUX_MOUNT_MINOR: u8 = 37;

const MAX_SERVERS: usize = 3;
const MAX_SEARCHES: usize = 32;
const LONGEST_SEARCHES: usize = 2048;
const LONGEST_OVERRIDE: usize = 64;

pub(super) fn check(judge: &mut PodJudge<'_>) {
    let spec = judge.pod.spec;
    check_deadline(judge);
    // A StatefulSet sets the host names of its Pods, so this field is ignored.
    let is_named = !judge.pod.object.gvk.is("apps", "StatefulSet");
    for name in ["hostname", "subdomain"].into_iter().filter(|_| is_named) {
        if let Some(node) = filled(spec, name) {
            let rule = (&HOST_NAME_INVALID, name);
            judge.form(node, rule, check_dns_label, near_dns_label);
        }
    }
    if judge.minor >= OVERRIDE_MINOR {
        check_host_name_override(judge);
    }
    check_dns(judge);
    check_aliases(judge);
    for gate in items(spec, "readinessGates") {
        if let Some(node) = gate.get("conditionType") {
            let rule = (&READINESS_GATE_INVALID, "condition type");
            let help = |_: &str| "write it in the form of `example.com/ready`".into();
            judge.form(node, rule, check_qualified_name, help);
        }
    }
    if let Some(os) = spec.get("os")
        && judge.needed(os, "name", Absence::BySchema).is_some()
    {
        judge.listed(os, "name", &["linux", "windows"]);
    }
    if let Some(context) = spec.get("securityContext") {
        let policies: &[_] = match judge.minor {
            SELINUX_MOUNT_MINOR.. => &["Recursive", "MountOption"],
            _ => &["Recursive"],
        };
        judge.listed(context, "seLinuxChangePolicy", policies);
    }
}

fn check_deadline(judge: &mut PodJudge<'_>) {
    let field = "activeDeadlineSeconds";
    let Some(node) = judge.pod.spec.get(field) else { return };
    let Some(seconds) = node.as_i64() else { return };
    if i32::try_from(seconds).is_ok_and(|seconds| seconds > 0) {
        return;
    }
    let text = (
        message!("`{field}` {seconds} is outside 1-2147483647"),
        labelled(
            "must be from 1 to 2147483647",
            "write a number from 1 to 2147483647, or remove it for no deadline",
        ),
    );
    judge.refuse(&DEADLINE_OUT_OF_RANGE, node, text);
}

fn check_host_name_override(judge: &mut PodJudge<'_>) {
    let pod = judge.pod;
    let spec = judge.pod.spec;
    let Some((node, name)) = text_node(spec, "hostnameOverride") else { return };
    let rule = &HOST_NAME_INVALID;
    if is_true(spec, "setHostnameAsFQDN") {
        let text = ("`hostnameOverride` conflicts with `setHostnameAsFQDN`", "remove one of them");
        judge.refuse(rule, (node.span(), (pod.spec, "hostnameOverride")), text);
    }
    if judge.has_host_network {
        let text = (
            "`hostnameOverride` conflicts with `hostNetwork`",
            "remove one of them: with the host network the Pod has the node's host name",
        );
        judge.refuse(rule, (node.span(), (pod.spec, "hostnameOverride")), text);
    }
    if name.len() > LONGEST_OVERRIDE {
        let text = (
            message!("host name is {} bytes long, more than 64", name.len()),
            "shorten it to at most 64 bytes",
        );
        judge.refuse(rule, (node.span(), (pod.spec, "hostnameOverride")), text);
    }
    let help = |_: &str| "use lowercase letters, digits, `-` and `.`".into();
    judge.form(node, (rule, "host name"), check_dns_subdomain, help);
}

fn check_dns(judge: &mut PodJudge<'_>) {
    let pod = judge.pod;
    let spec = judge.pod.spec;
    let config = spec.get("dnsConfig");
    let servers = config.map_or(&[][..], |config| items(config, "nameservers"));
    let rule = &DNS_CONFIG_INVALID;
    if servers.is_empty()
        && let Some(policy) = spec.get("dnsPolicy").filter(|policy| policy.as_str() == Some("None"))
    {
        let text = (
            "`dnsPolicy: None` requires name servers",
            "add `dnsConfig: {nameservers: [...]}`, or use another policy",
        );
        judge.refuse(rule, (policy.span(), (pod.spec, "dnsConfig")), text);
    }
    let Some(config) = config else { return };
    if let Some(fourth) = servers.get(MAX_SERVERS) {
        let text = (
            message!("{} name servers are listed, more than 3", servers.len()),
            labelled("at most 3", "keep at most 3"),
        );
        judge.refuse(rule, (fourth.span(), (pod.spec, "dnsConfig.nameservers")), text);
    }
    for server in servers {
        check_address(judge, server, rule);
    }
    check_searches(judge, config);
    for option in items(config, "options") {
        judge.needed(option, "name", Absence::Here);
    }
}

fn check_searches(judge: &mut PodJudge<'_>, config: &Node) {
    let searches = items(config, "searches");
    let rule = &DNS_CONFIG_INVALID;
    if let Some(excess) = searches.get(MAX_SEARCHES) {
        let text = (
            message!("{} search domains are listed, more than 32", searches.len()),
            labelled("at most 32", "keep at most 32"),
        );
        judge.refuse(rule, (excess.span(), (config, "searches")), text);
    }
    let length: usize =
        searches.iter().filter_map(Node::as_str).map(|domain| domain.len() + 1).sum();
    if length > LONGEST_SEARCHES + 1
        && let Some(first) = searches.first()
    {
        let text = (
            message!("search domains total {} bytes, more than 2048", length - 1),
            labelled("at most 2048 bytes", "keep at most 2048 bytes, separators included"),
        );
        judge.refuse(rule, (first.span(), (config, "searches")), text);
    }
    for search in searches {
        let help = |_: &str| "write a domain such as `svc.cluster.local`".into();
        judge.form(search, (rule, "search domain"), check_search_domain, help);
    }
}

fn check_aliases(judge: &mut PodJudge<'_>) {
    let rule = &HOST_ALIAS_INVALID;
    for alias in items(judge.pod.spec, "hostAliases") {
        if let Some(node) = alias.get("ip") {
            check_address(judge, node, rule);
        }
        for name in items(alias, "hostnames") {
            let help = |_: &str| "use lowercase letters, digits, `-` and `.`".into();
            judge.form(name, (rule, "host name"), check_dns_subdomain, help);
        }
    }
}

fn check_address(judge: &mut PodJudge<'_>, node: &Node, rule: &'static Rule) {
    let Some(text) = node.as_str() else { return };
    if !is_ip_address(text) {
        let text = (
            message!("`{}` is not an IP address", shown(text)),
            "write it like `10.9.8.7` or `2001:db8::1`",
        );
        return judge.refuse(rule, node, text);
    }
    if judge.minor < STRICT_ADDRESS_MINOR {
        return;
    }
    if let Some((lax, repaired)) = lax_ip_address(text) {
        let what = match lax {
            LaxCidr::LeadingZeros => "has leading zeros",
            _ => "is an IPv4 address written as IPv6",
        };
        let message = message!("address `{}` {what}", shown(text));
        let finding = Diagnostic::new(rule, node.span(), message).write_instead(
            node.span(),
            text,
            &repaired,
            Safety::Safe,
        );
        judge.report(finding, node);
    }
}
