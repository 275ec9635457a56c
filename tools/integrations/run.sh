#!/usr/bin/env bash
# Runs the integrations with the real programs in the path, each with good and with bad input:
# tools/integrations/run.sh target/release/sandboxc
#
# Programs that are not installed are left out: kustomize, kpt, helm (3 and 4), make, ninja, task, just, bazel, and
# argocd, which argocd/build.sh builds.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" && ln -s "$(realpath "$1")" "$folder/bin/sandboxc"
export PATH="$folder/bin:$PATH"
cd "$folder" || exit 2
failures=0

# expect TITLE STATUS TEXT COMMAND...: the status, and a part of both outputs.
expect() {
    local title=$1 status=$2 text=$3 output found
    shift 3
    output=$("$@" 2>&1)
    found=$?
    if [ "$found" -eq "$status" ] && [[ $output == *"$text"* ]]; then
        echo "ok      $title"
    else
        echo "FAILED  $title: status $found, expected $status and: $text"
        printf '%s\n' "$output" | sed 's/^/    /'
        failures=$((failures + 1))
    fi
}

has() {
    command -v "$1" >/dev/null || { echo "absent  $1" && return 1; }
}

# block LANGUAGE TEXT: the block of docs/integrations.md with a text.
block() {
    awk -v language="$1" -v text="$2" '
        /^```/ { if (is_code && found) { printf "%s", code; exit } is_code = $0 == "```" language; code = ""; found = 0; next }
        is_code { code = code $0 "\n"; if (index($0, text)) found = 1 }' "$root/docs/integrations.md"
}

# inside DIRECTORY COMMAND...
inside() {
    (cd "$1" && shift && "$@")
}

sandbox() {
    printf '%s\n' 'apiVersion: sandboxc.dev/v1alpha1' 'kind: Sandbox' \
        'metadata: {name: dev, namespace: agents}' \
        "spec: {$1: python:3.13, podSecurityContext: {runAsUser: 1000}}"
}

settings() {
    printf '%s\n' 'apiVersion: v1' 'kind: ConfigMap' 'metadata: {name: web, namespace: agents}' "data: {x: $1}"
}

built='apiVersion: agents.x-k8s.io/v1'

if has kustomize; then
    mkdir -p kustomize/definitions && cp "$root"/integrations/kustomize/*.yaml kustomize
    settings '"1"' >kustomize/web.yaml
    sandbox image >kustomize/definitions/dev.yaml
    sandbox image | sed 's/name: dev/name: direct/' >kustomize/direct.yaml
    build=(kustomize build --enable-alpha-plugins --enable-exec kustomize)
    printf '%s\n' 'resources: [web.yaml, direct.yaml]' 'generators: [generate.yaml]' \
        'transformers: [transform.yaml]' 'validators: [check.yaml]' >kustomize/kustomization.yaml
    expect 'kustomize: a generator, a transformer and a validator' 0 "$built" "${build[@]}"
    expect 'kustomize: no definition is left' 0 '0' sh -c '! "$@" | grep sandboxc.dev && echo 0' sh "${build[@]}"
    expect 'kustomize: the resource of the transformer' 0 'name: direct' "${build[@]}"
    settings 1 >kustomize/web.yaml
    expect 'kustomize: an error of an object' 1 'error[wrong-type]: `x` must be a string' "${build[@]}"
    settings '"1"' >kustomize/web.yaml
    sandbox imagge >kustomize/definitions/dev.yaml
    expect 'kustomize: an error of a definition' 1 'did you mean `image`?' "${build[@]}"
    printf '%s\n' 'resources: [web.yaml]' >kustomize/kustomization.yaml
    expect 'check --render: a kustomization' 0 'checked 1 object' sandboxc check --render kustomize
    printf '%s\n' 'resources: [none.yaml]' >kustomize/kustomization.yaml
    expect 'check --render: an error of kustomize' 1 "lstat $folder/kustomize/none.yaml" sandboxc check --render kustomize
fi

if has kpt; then
    mkdir kpt && settings '"1"' >kpt/web.yaml && sandbox image >kpt/dev.yaml
    printf '%s\n' 'apiVersion: kpt.dev/v1' 'kind: Kptfile' 'metadata:' '  name: web' '  annotations:' \
        '    config.kubernetes.io/local-config: "true"' 'pipeline:' '  mutators:' \
        '    - exec: sandboxc krm --quiet' '  validators:' '    - exec: sandboxc krm --quiet' \
        '      configMap: {action: check, policy: restricted}' >kpt/Kptfile
    expect 'kpt: render' 0 'Successfully executed 2 function(s)' kpt fn render kpt --allow-exec
    expect 'kpt: the file of the definition' 0 "$built" cat kpt/dev.yaml
    expect 'kpt: render again' 0 'Successfully executed 2 function(s)' kpt fn render kpt --allow-exec
    expect 'kpt: a wrong setting' 1 'did you mean `check`?' \
        kpt fn eval kpt --exec 'sandboxc krm' -- action=chekc
    settings 1 >kpt/web.yaml
    expect 'kpt: an error of an object' 1 'v1/ConfigMap/agents/web data[x]: `x` must be a string' \
        kpt fn render kpt --allow-exec
fi

if has helm; then
    mkdir -p chart/templates && printf '%s\n' 'apiVersion: v2' 'name: web' 'version: 0.1.0' >chart/Chart.yaml
    settings '{{ .Values.x }}' >chart/templates/web.yaml
    export HELM_DATA_HOME=$folder/helm HELM_PLUGINS=$folder/helm/plugins
    renderer=$root/integrations/helm/post-renderer.sh
    if [[ $(helm version --short) == v4* ]]; then
        renderer=sandboxc
        expect 'helm 4: the plugin' 0 'Installed plugin: sandboxc' helm plugin install "$root/integrations/helm/plugin"
    fi
    expect 'helm: a post-renderer' 0 'name: web' helm template web chart --set x=a --post-renderer "$renderer"
    expect 'helm: an error of an object' 1 'error[wrong-type]: `x` must be a string' \
        helm template web chart --set x=1 --post-renderer "$renderer"
    expect 'helm: a wrong argument' 1 "unexpected argument '--nothing'" \
        helm template web chart --set x=a --post-renderer "$renderer" --post-renderer-args --nothing
    expect 'check --render: a chart' 0 'checked 1 object' sandboxc check --render chart --set x=a
    expect 'check --render: the template of an error' 1 'rendered from `chart/templates/web.yaml`' \
        sandboxc check --render chart --set x=1
    printf '{{ .Values.a.b }}\n' >chart/templates/broken.yaml
    expect 'check --render: an error of Helm' 1 'nil pointer evaluating' sandboxc check --render chart --set x=a
fi

# builds TITLE DIRECTORY STATUS COMMAND...: a build tool whose inputs are the definitions in a directory. STATUS is
# that of a failed build.
builds() {
    local title=$1 definitions=$2/definitions status=$3
    shift 3
    sandbox image >"$definitions/dev.yaml"
    expect "$title: the first build" 0 'sandboxc build' "$@"
    sleep 1 && sandbox image | sed 's/name: dev/name: new/' >"$definitions/new.yaml"
    expect "$title: a new file" 0 'sandboxc build' "$@"
    sleep 1 && sandbox imagge >"$definitions/new.yaml"
    expect "$title: an error of a definition" "$status" 'did you mean `image`?' "$@"
    sleep 1 && rm "$definitions/new.yaml"
    expect "$title: without the file" 0 'sandboxc build' "$@"
}

if has make; then
    for target in manifests.yaml manifests.built; do
        mkdir -p "make/$target/definitions" && block make "$target:" >"make/$target/Makefile"
        # Without a target: the one of the documentation is the first.
        builds "make $target" "make/$target" 2 make -C "make/$target"
        expect "make $target: nothing to do" 0 'is up to date' make -C "make/$target"
    done
fi

if has ninja; then
    mkdir -p ninja/definitions
    printf '%s\n' 'rule sandboxc' '  command = sandboxc build definitions --depfile $out.d > $out' '  depfile = $out.d' \
        'build manifests.yaml: sandboxc' >ninja/build.ninja
    builds ninja ninja 1 ninja -C ninja -v
    expect 'ninja: nothing to do' 0 'no work to do' ninja -C ninja
fi

if has task; then
    mkdir -p task/definitions && block yaml 'tasks:' >task/Taskfile.yaml
    builds task task 201 task --dir task manifests
    expect 'task: nothing to do' 0 'is up to date' task --dir task manifests
    rm -r task/manifests
    expect 'task: the output is gone' 0 '1 file written' task --dir task manifests
fi

if has just; then
    mkdir -p just/definitions && block just 'manifests:' >just/justfile
    builds just just 1 just --justfile just/justfile manifests
    expect 'just: nothing changes' 0 '0 files written, 0 removed, 1 unchanged' just --justfile just/justfile manifests
    expect 'just: fresh manifests' 0 'sandboxc build' just --justfile just/justfile check
    sandbox image | sed 's/name: dev/name: new/' >just/definitions/new.yaml
    expect 'just: stale manifests' 1 'new.yaml' just --justfile just/justfile check
fi

if has bazel; then
    mkdir -p bazel/{definitions,tools} && touch bazel/WORKSPACE && cp "$folder/bin/sandboxc" bazel/tools/sandboxc
    echo 'exports_files(["sandboxc"])' >bazel/tools/BUILD.bazel
    block starlark 'genrule(' >bazel/BUILD.bazel
    build=(inside bazel bazel --batch --output_user_root="$folder/bazel/root" build --subcommands //:manifests)
    builds bazel bazel 1 "${build[@]}"
    expect 'bazel: the manifests' 0 "$built" cat bazel/bazel-bin/manifests.yaml
    chmod -R u+w bazel/root
fi

if has argocd; then
    mkdir -p argocd/{config,plugins,work,repository/definitions,repository/other}
    cp "$root/integrations/argocd/plugin.yaml" argocd/config && echo x >argocd/repository/other/x
    sandbox image >argocd/repository/definitions/dev.yaml
    printf '%s\n' 'apiVersion: sandboxc.dev/v1alpha1' 'kind: Project' \
        'spec: {environments: {prod: {}}}' >argocd/repository/definitions/sandboxc.yaml
    export ARGOCD_PLUGINSOCKFILEPATH=$folder/argocd/plugins ARGOCD_CMP_WORKDIR=$folder/argocd/work
    argocd serve argocd/config >argocd/log 2>&1 &
    server=$!
    # It ends its requests on SIGTERM, and stays.
    trap 'disown; kill -KILL "$server"; rm -rf "$folder"' EXIT
    sleep 3
    ask=(argocd ask argocd/plugins/sandboxc-v1.0.sock argocd/repository argocd/repository/definitions)
    expect 'argocd: the manifests' 0 '"apiVersion":"agents.x-k8s.io/v1' "${ask[@]}" PARAM_ENVIRONMENT=prod
    expect 'argocd: discovery' 0 '# supported: true' "${ask[@]}"
    expect 'argocd: another directory' 1 '# supported: false' "${ask[@]:0:4}" argocd/repository/other
    expect 'argocd: a wrong environment' 1 'known environments: `prod`' "${ask[@]}" PARAM_ENVIRONMENT=none
    sandbox imagge >argocd/repository/definitions/dev.yaml
    expect 'argocd: an error of a definition' 1 'did you mean `image`?' "${ask[@]}"
fi
[ "$failures" -eq 0 ]
