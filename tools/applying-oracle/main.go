// Answers cases as client-side kubectl does: for each line of standard input with `last`, `new` and `live`, the patch that
// kubectl sends and the object that the API server makes of it, before it adds defaults.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
)

const annotation = "kubectl.kubernetes.io/last-applied-configuration"

type object = map[string]any

type answer struct {
	Patch  object `json:"patch,omitempty"`
	Result object `json:"result,omitempty"`
	Error  string `json:"error,omitempty"`
}

// The new form as kubectl sends it: with the annotation, whose value is of no interest here.
func annotated(form object) object {
	metadata, ok := form["metadata"].(object)
	if !ok {
		metadata = object{}
		form["metadata"] = metadata
	}
	values, ok := metadata["annotations"].(object)
	if !ok {
		values = object{}
		metadata["annotations"] = values
	}
	values[annotation] = ""
	return form
}

// A patch or a result without the annotation, and without the maps that only contained it.
func plain(form object) object {
	metadata, _ := form["metadata"].(object)
	values, _ := metadata["annotations"].(object)
	if _, ok := values[annotation]; !ok {
		return form
	}
	delete(values, annotation)
	if len(values) == 0 {
		delete(metadata, "annotations")
	}
	if len(metadata) == 0 {
		delete(form, "metadata")
	}
	return form
}

func typed(form object) (runtime.Object, bool) {
	apiVersion, _ := form["apiVersion"].(string)
	kind, _ := form["kind"].(string)
	value, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(apiVersion, kind))
	return value, err == nil
}

func patch(last, new, live []byte, kind runtime.Object) (patch, result []byte, err error) {
	if kind == nil {
		same := []mergepatch.PreconditionFunc{mergepatch.RequireKeyUnchanged("apiVersion"),
			mergepatch.RequireKeyUnchanged("kind"), mergepatch.RequireMetadataKeyUnchanged("name")}
		if patch, err = jsonmergepatch.CreateThreeWayJSONMergePatch(last, new, live, same...); err != nil {
			return nil, nil, fmt.Errorf("patch: %w", err)
		}
		result, err = jsonpatch.MergePatch(live, patch)
	} else {
		meta, err := strategicpatch.NewPatchMetaFromStruct(kind)
		if err != nil {
			return nil, nil, err
		}
		if patch, err = strategicpatch.CreateThreeWayMergePatch(last, new, live, meta, true); err != nil {
			return nil, nil, fmt.Errorf("patch: %w", err)
		}
		result, err = strategicpatch.StrategicMergePatchUsingLookupPatchMeta(live, patch, meta)
		if err != nil {
			return nil, nil, fmt.Errorf("merge: %w", err)
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("merge: %w", err)
	}
	return patch, result, nil
}

func encode(form object) []byte {
	if form == nil {
		return nil
	}
	text, err := json.Marshal(form)
	if err != nil {
		log.Fatal(err)
	}
	return text
}

func decode(text []byte) (form object) {
	if err := json.Unmarshal(text, &form); err != nil {
		log.Fatal(err)
	}
	return form
}

func main() {
	if err := apiextensions.AddToScheme(scheme.Scheme); err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	isServerSide := len(os.Args) > 1 && os.Args[1] == "-server-side"
	for lines.Scan() {
		if isServerSide {
			if answered := answerServerSide(lines.Bytes()); answered != nil {
				if err := out.Encode(answered); err != nil {
					log.Fatal(err)
				}
			}
			continue
		}
		var in struct {
			Name            string `json:"name"`
			Last, New, Live object
			Answer          answer `json:"answer"`
		}
		if err := json.Unmarshal(lines.Bytes(), &in); err != nil {
			log.Fatal(err)
		}
		last, live := encode(in.Last), encode(in.Live)
		form := encode(in.New)
		kind, _ := typed(in.New)
		made, result, err := patch(last, encode(annotated(in.New)), live, kind)
		given := answer{}
		if err != nil {
			given.Error = err.Error()
		} else {
			given.Patch, given.Result = plain(decode(made)), plain(decode(result))
		}
		record := struct {
			Name   string `json:"name"`
			Last   object `json:"last"`
			New    object `json:"new"`
			Live   object `json:"live"`
			Answer answer `json:"answer"`
		}{in.Name, in.Last, decode(form), in.Live, given}
		if err := out.Encode(record); err != nil {
			log.Fatal(err)
		}
	}
}
