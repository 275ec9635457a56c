//! `Domains`: the domains of labels that claims can set.

use crate::scalar::SUBDOMAIN_LIMIT;
use crate::sorted::SortedSet;

/// Domains, each with its subdomains.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    listed: Vec<String>,
    /// The same domains; both the list and the labels of a run can be long.
    sorted: SortedSet<String>,
}

impl FromIterator<String> for Domains {
    fn from_iter<I: IntoIterator<Item = String>>(domains: I) -> Self {
        let listed: Vec<_> = domains.into_iter().collect();
        let sorted = listed.iter().cloned().collect();
        Self { listed, sorted }
    }
}

impl Domains {
    /// The domains, in the order of the author.
    pub(super) fn listed(&self) -> impl ExactSizeIterator<Item = &str> {
        self.listed.iter().map(String::as_str)
    }

    /// Whether a domain is listed, or a subdomain of a listed one.
    pub(super) fn contain(&self, domain: &str) -> bool {
        let parents = domain.match_indices('.').filter_map(|(dot, _)| domain.get(dot + 1..));
        let mut all = std::iter::once(domain).chain(parents);
        all.any(|domain| domain.len() <= SUBDOMAIN_LIMIT && self.sorted.contains(domain))
    }

    /// Whether this is the key of a label in one of the domains.
    pub(super) fn contain_key(&self, key: &str) -> bool {
        key.split_once('/').is_some_and(|(domain, _)| self.contain(domain))
    }
}

#[cfg(test)]
mod tests {
    use super::Domains;

    #[test]
    fn a_domain_contains_itself_and_its_subdomains() {
        let domains: Domains =
            ["k8s.io", "agents.x-k8s.io"].map(str::to_owned).into_iter().collect();
        for domain in ["k8s.io", "x.k8s.io", "a.b.k8s.io", "agents.x-k8s.io"] {
            assert!(domains.contain(domain), "{domain}");
        }
        for domain in ["x-k8s.io", "io", "", "k8s.io.", "xk8s.io", "k8s.io.com"] {
            assert!(!domains.contain(domain), "{domain}");
        }
        assert!(domains.contain_key("x.k8s.io/a"));
        assert!(!domains.contain_key("k8s.io"));
        assert!(!Domains::default().contain_key("k8s.io/a"));
    }
}
