// Records how the API server stores objects of old versions in the version that replaced them.
//
//	go run -mod=mod -modfile=modules/1.33/go.mod ./conversions ../../fixtures/migrate/builtin/*.yaml
//
// Each document is decoded with the defaults of its version, converted to the internal type, encoded in the newest
// version of its kind, and given the defaults of that version. A line of the output is one object, known by
// "<file>#<position>", or the error of the conversion. A document of a version that this minor does not have is left out.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	aggregator "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/controlplane"
	"sigs.k8s.io/yaml"
)

// groups have other names than that of the old version.
var groups = map[string]string{
	"extensions/Ingress":       "networking.k8s.io",
	"extensions/NetworkPolicy": "networking.k8s.io",
	"extensions/Deployment":    "apps",
	"extensions/DaemonSet":     "apps",
	"extensions/ReplicaSet":    "apps",
}

type line struct {
	ID     string          `json:"id"`
	Object json.RawMessage `json:"object,omitempty"`
	Error  string          `json:"error,omitempty"`
}

func main() {
	aggregator.Install(legacyscheme.Scheme)
	apiextensions.Install(legacyscheme.Scheme)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		for at, document := range strings.Split(string(text), "\n---\n") {
			object, err := convert([]byte(document))
			if runtime.IsNotRegisteredError(err) {
				continue
			}
			it := line{ID: fmt.Sprintf("%s#%d", filepath.Base(path), at), Object: object}
			if err != nil {
				it.Error = err.Error()
			}
			if err := encoder.Encode(it); err != nil {
				panic(err)
			}
		}
	}
}

// convert returns the object as it is stored in the newest version.
func convert(document []byte) (json.RawMessage, error) {
	codecs := serializer.NewCodecFactory(legacyscheme.Scheme)
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeYAML)
	var kind runtime.TypeMeta
	if err := yaml.Unmarshal(document, &kind); err != nil {
		return nil, err
	}
	gvk := schema.FromAPIVersionAndKind(kind.APIVersion, kind.Kind)
	decoder := codecs.DecoderToVersion(info.StrictSerializer, runtime.InternalGroupVersioner)
	internal, _, err := decoder.Decode(document, &gvk, nil)
	if err != nil {
		return nil, err
	}
	group := gvk.Group
	if moved, ok := groups[gvk.Group+"/"+gvk.Kind]; ok {
		group = moved
	}
	newest := legacyscheme.Scheme.PrioritizedVersionsForGroup(group)[0]
	if group == "autoscaling" {
		newest.Version = "v2"
	}
	encoded, err := encode(codecs, internal, newest)
	if err != nil {
		return nil, err
	}
	// Decoding sets the defaults of the version.
	internal, _, err = decoder.Decode(encoded, nil, nil)
	if err != nil {
		return nil, err
	}
	encoded, err = encode(codecs, internal, newest)
	return bytes.TrimSpace(encoded), err
}

func encode(codecs serializer.CodecFactory, object runtime.Object, to schema.GroupVersion) ([]byte, error) {
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	var out bytes.Buffer
	err := codecs.EncoderForVersion(info.Serializer, to).Encode(object, &out)
	return out.Bytes(), err
}
