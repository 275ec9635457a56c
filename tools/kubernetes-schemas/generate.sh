#!/usr/bin/env bash
# Writes schemas/kubernetes.json from Kubernetes' own Go types, for each version in versions/.
# Requires Go (which downloads the pinned toolchain) and the Go module proxy; takes a few minutes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
modules=(k8s.io/api k8s.io/apimachinery k8s.io/apiextensions-apiserver k8s.io/kube-aggregator)

for pinned in "$here"/versions/*/; do
    minor=$(basename "$pinned")
    cp -r "$pinned" "$work/$minor"
    cp "$here/dump/main.go" "$work/$minor/"
    cd "$work/$minor"
    # The directory of a module is only known once it is downloaded.
    go mod download "${modules[@]}"
    packages=()
    {
        echo 'package main'
        echo 'import "k8s.io/apimachinery/pkg/runtime"'
        registered=() dirs=()
        for module in "${modules[@]}"; do
            root=$(go list -m -f '{{.Dir}}' "$module")
            for package in $(grep -rl --include='*.go' '+k8s:openapi-gen=true' "$root" | grep -v _test.go \
                | xargs -n1 dirname | sort -u | sed "s,^$root,$module,"); do
                packages+=("$package")
                dirs+=("\"$package\": \"$root${package#"$module"}\",")
                case $package in
                    k8s.io/apimachinery/*) ;;
                    *)
                        alias=p${#registered[@]}
                        echo "import $alias \"$package\""
                        registered+=("$alias.AddToScheme,")
                        ;;
                esac
            done
        done
        echo "var addToScheme = []func(*runtime.Scheme) error{${registered[*]}}"
        echo "var packageDirs = map[string]string{${dirs[*]}}"
    } > packages.go
    touch header.txt
    go tool openapi-gen --go-header-file header.txt --report-filename report.txt \
        --output-file definitions.go --output-dir generated \
        --output-pkg sandboxc.dev/tools/kubernetes-schemas/generated "${packages[@]}"
    go run . "$minor" > "$work/$minor.json"
    echo "$minor: $(wc -c < "$work/$minor.json") bytes" >&2
done
cd "$here/merge"
go run . "$work"/*.json > "$here/../../schemas/kubernetes.json"
"$here/descriptions.py"
