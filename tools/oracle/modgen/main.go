// Command modgen writes modules/<minor>/go.mod for a release of Kubernetes.
//
// k8s.io/kubernetes requires its staging modules at v0.0.0 and replaces them by folders of its own tree. A module
// that imports it has to replace them too, by the published v0.<minor>.<patch>.
//
//	go run ./modgen v1.33.13 v1.36.3
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	release = regexp.MustCompile(`^v1\.(\d+)\.(\d+)$`)
	staging = regexp.MustCompile(`(?m)^\s*(\S+) => \./staging/src/`)
)

// direct lists the modules that the oracle's own packages import.
var direct = []string{
	"k8s.io/api", "k8s.io/apiextensions-apiserver", "k8s.io/apimachinery", "k8s.io/apiserver",
	"k8s.io/component-base", "k8s.io/pod-security-admission",
}

func main() {
	for _, version := range os.Args[1:] {
		if err := write(version); err != nil {
			fmt.Fprintln(os.Stderr, "modgen:", err)
			os.Exit(1)
		}
	}
}

func write(version string) error {
	parts := release.FindStringSubmatch(version)
	if parts == nil {
		return fmt.Errorf("%q is no release such as v1.33.13", version)
	}
	upstream, err := upstreamModule(version)
	if err != nil {
		return err
	}
	published := fmt.Sprintf("v0.%s.%s", parts[1], parts[2])
	folder := filepath.Join("modules", "1."+parts[1])
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "go.mod"), module(version, published, upstream), 0o644)
}

// upstreamModule is the text of go.mod of k8s.io/kubernetes at a version.
func upstreamModule(version string) ([]byte, error) {
	out, err := exec.Command("go", "mod", "download", "-json", "k8s.io/kubernetes@"+version).Output()
	if err != nil {
		return nil, fmt.Errorf("go mod download: %w", err)
	}
	var download struct{ GoMod string }
	if err := json.Unmarshal(out, &download); err != nil {
		return nil, err
	}
	return os.ReadFile(download.GoMod)
}

func module(version, published string, upstream []byte) []byte {
	var text strings.Builder
	fmt.Fprintf(&text, "// Written by modgen for Kubernetes %s; `go build -mod=mod` adds what is indirect.\n", version)
	fmt.Fprintf(&text, "module sandboxc.dev/oracle\n\ngo 1.26.0\n\nrequire (\n\tk8s.io/kubernetes %s\n", version)
	for _, path := range direct {
		fmt.Fprintf(&text, "\t%s %s\n", path, published)
	}
	text.WriteString(")\n\nreplace (\n")
	for _, match := range staging.FindAllStringSubmatch(string(upstream), -1) {
		fmt.Fprintf(&text, "\t%s => %s %s\n", match[1], match[1], published)
	}
	text.WriteString(")\n")
	return []byte(text.String())
}
