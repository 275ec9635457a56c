// Command sandboxc-oracle runs kelos' own code on the inputs of fixtures: the schemas and rules of its
// custom resource definitions, the conversion between its API versions, one cycle of the spawner, the
// reconciler of Tasks and its builder of Jobs, against a fake client. It lives in a checkout of kelos.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	yamlutil "k8s.io/apimachinery/pkg/util/yaml"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/log"

	kelosv1alpha1 "github.com/kelos-dev/kelos/api/v1alpha1"
	kelos "github.com/kelos-dev/kelos/api/v1alpha2"
)

const upstream = "kelos-dev/kelos@77d9ad8e"

type object = map[string]interface{}

var scheme = runtime.NewScheme()

// recording is observed.json.
type recording struct {
	Upstream string            `json:"upstream"`
	Refused  []string          `json:"refused"`
	Objects  []json.RawMessage `json:"objects"`
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	definitions := flag.String("crds", "internal/manifests/charts/kelos/charts/kelos-crds/templates", "templates of the custom resource definitions")
	flag.Parse()
	log.SetLogger(logr.Discard())
	must(clientgoscheme.AddToScheme(scheme))
	must(kelos.AddToScheme(scheme))
	must(kelosv1alpha1.AddToScheme(scheme))
	loadDefinitions(*definitions)
	for _, folder := range flag.Args() {
		input, err := os.ReadFile(filepath.Join(folder, "input.yaml"))
		must(err)
		first, second := recorded(input), recorded(input)
		if !bytes.Equal(first, second) {
			panic(folder + ": two runs differ")
		}
		must(os.WriteFile(filepath.Join(folder, "observed.json"), append(first, '\n'), 0o644))
	}
}

func recorded(input []byte) []byte {
	made := recording{Upstream: upstream, Refused: []string{}, Objects: []json.RawMessage{}}
	run(documents(input), &made)
	text, err := json.MarshalIndent(made, "", "  ")
	must(err)
	return text
}

// documents reads the stream as kubectl does.
func documents(input []byte) []*unstructured.Unstructured {
	var all []*unstructured.Unstructured
	decoder := yamlutil.NewYAMLOrJSONDecoder(bytes.NewReader(input), 4096)
	for {
		var raw runtime.RawExtension
		err := decoder.Decode(&raw)
		if err == io.EOF {
			return all
		}
		must(err)
		if len(raw.Raw) == 0 || string(bytes.TrimSpace(raw.Raw)) == "null" {
			continue
		}
		var root object
		must(utiljson.Unmarshal(raw.Raw, &root))
		all = append(all, &unstructured.Unstructured{Object: root})
	}
}

func refuse(made *recording, format string, arguments ...interface{}) {
	made.Refused = append(made.Refused, fmt.Sprintf(format, arguments...))
}
