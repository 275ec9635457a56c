#!/usr/bin/env bash
# Builds the server of Argo CD's config management plugins, with a client: argocd/build.sh PROGRAM
set -euo pipefail
version=v2.14.21
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath -m "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$here/main.go" "$folder"
cd "$folder"
printf 'module argocd\n' >go.mod
sources=$(go mod download -json "github.com/argoproj/argo-cd/v2@$version" | sed -n 's/.*"Dir": "\(.*\)",/\1/p')
# Its go.mod replaces modules, which only the main module can do.
sed 's/^module .*/module argocd/' "$sources/go.mod" >go.mod
cp "$sources/go.sum" go.sum && chmod u+w go.sum
go mod edit -require "github.com/argoproj/argo-cd/v2@$version"
go mod tidy
go build -o "$program" .
