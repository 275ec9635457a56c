package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"strings"
)

// entry is one write, as it is recorded.
type entry struct {
	Verb string `json:"verb"`
	Body object `json:"body,omitempty"`
}

// recorded are the writes to one object that a controller created.
type recorded struct {
	key     string
	entries []entry
}

// condition is `Ready` of an object of the input.
type condition struct {
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// recording is the JSON of a case, the same in every run: generated names and uids are placeholders.
func (r *run) recording() ([]byte, error) {
	objects, names := r.objects()
	replace := r.replacer(names)
	var out bytes.Buffer
	out.WriteString("{\"objects\": {")
	lines := map[string]string{}
	for _, it := range objects {
		var list []string
		for _, entry := range it.entries {
			line, err := compact(entry)
			if err != nil {
				return nil, err
			}
			list = append(list, "  "+line)
		}
		lines[replace.Replace(it.key)] = replace.Replace(strings.Join(list, ",\n"))
	}
	writeLines(&out, lines, func(line string) string { return "[\n" + line + "\n ]" })
	out.WriteString("},\n\"ready\": {")
	conditions, err := r.conditions()
	if err != nil {
		return nil, err
	}
	lines = map[string]string{}
	for key, it := range conditions {
		line, err := compact(it)
		if err != nil {
			return nil, err
		}
		lines[replace.Replace(key)] = replace.Replace(line)
	}
	writeLines(&out, lines, func(line string) string { return line })
	out.WriteString("}}\n")
	return out.Bytes(), nil
}

func writeLines(out *bytes.Buffer, lines map[string]string, wrap func(string) string) {
	var keys []string
	for key := range lines {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for i, key := range keys {
		if i > 0 {
			out.WriteString(",")
		}
		fmt.Fprintf(out, "\n %q: %s", key, wrap(lines[key]))
	}
}

func compact(value any) (string, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return strings.TrimSpace(out.String()), err
}

// objects returns the writes to each created object, and the created Sandboxes with a generated name, in their order.
func (r *run) objects() ([]recorded, []object) {
	var all []recorded
	var generated []object
	for _, namespace := range r.namespaces {
		kinds := map[string]string{}
		for _, it := range r.recorder.of(namespace) {
			if it.subresource != "" || it.status >= http.StatusMultipleChoices {
				continue
			}
			name := it.name
			if it.verb == "create" {
				name = text(it.answer, "metadata", "name")
				kinds[it.resource+"/"+name] = text(it.answer, "kind")
				r.uids[text(it.answer, "metadata", "uid")] = placeholder(text(it.answer, "kind"), name)
				if text(it.body, "metadata", "generateName") != "" {
					generated = append(generated, it.answer)
				}
			}
			kind := kinds[it.resource+"/"+name]
			if kind == "" {
				// An object of the input.
				continue
			}
			key := kind + "/" + namespace + "/" + name
			at := slices.IndexFunc(all, func(it recorded) bool { return it.key == key })
			if at < 0 {
				at = len(all)
				all = append(all, recorded{key: key})
			}
			all[at].entries = append(all[at].entries, entry{Verb: it.verb, Body: withoutServerFields(it)})
		}
	}
	return all, generated
}

// withoutServerFields removes what depends on the run: versions and times of the server, and the status.
func withoutServerFields(it request) object {
	if it.verb == "delete" {
		return nil
	}
	delete(it.body, "status")
	if metadata, ok := it.body["metadata"].(object); ok {
		for _, key := range []string{"resourceVersion", "creationTimestamp", "generation", "managedFields", "uid"} {
			delete(metadata, key)
		}
		if len(metadata) == 0 {
			delete(it.body, "metadata")
		}
	}
	return it.body
}

// replacer replaces namespaces, generated names, hashes of generated names, and uids. The members of a pool are counted:
// first those that claims have adopted, in the order of the claims, then the idle ones.
func (r *run) replacer(generated []object) *strings.Replacer {
	adopted := func(it object) int {
		owner := items(it, "metadata", "ownerReferences")
		return slices.IndexFunc(r.claims, func(claim object) bool {
			return len(owner) == 1 && owner[0]["kind"] == "SandboxClaim" && owner[0]["name"] == text(claim, "metadata", "name") &&
				text(it, "metadata", "namespace") == text(claim, "metadata", "namespace")
		})
	}
	var current []object
	for _, it := range generated {
		path := "/apis/agents.x-k8s.io/v1beta1/namespaces/" + text(it, "metadata", "namespace") + "/sandboxes/" + text(it, "metadata", "name")
		if now, err := r.cluster.get(path); err == nil && now != nil {
			current = append(current, now)
		}
	}
	slices.SortStableFunc(current, func(a, b object) int {
		rank := func(it object) int {
			if at := adopted(it); at >= 0 {
				return at
			}
			return len(r.claims)
		}
		return rank(a) - rank(b)
	})
	var pairs []string
	counts := map[string]int{}
	for _, it := range current {
		name := text(it, "metadata", "name")
		prefix := name[:len(name)-5]
		pool := text(it, "metadata", "namespace") + "/" + prefix
		counts[pool]++
		counted := fmt.Sprintf("%sxxxx%d", prefix, counts[pool])
		pairs = append(pairs, name, counted, nameHash(name), nameHash(counted))
	}
	names := strings.NewReplacer(pairs...)
	for uid, name := range r.uids {
		pairs = append(pairs, uid, names.Replace(name))
	}
	for _, namespace := range r.namespaces {
		pairs = append(pairs, namespace, strings.TrimPrefix(namespace, r.prefix))
	}
	return strings.NewReplacer(pairs...)
}

func nameHash(name string) string {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name))
	return fmt.Sprintf("%08x", hash.Sum32())
}

// conditions returns the condition `Ready` of each claim.
func (r *run) conditions() (map[string]condition, error) {
	found := map[string]condition{}
	for _, claim := range r.claims {
		collection, err := r.cluster.collection(claim)
		if err != nil {
			return nil, err
		}
		now, err := r.cluster.get(collection + "/" + text(claim, "metadata", "name"))
		if err != nil {
			return nil, err
		}
		key := "SandboxClaim/" + text(claim, "metadata", "namespace") + "/" + text(claim, "metadata", "name")
		found[key] = condition{Status: "Deleted"}
		if now != nil {
			found[key] = condition{Status: "None"}
		}
		for _, each := range items(now, "status", "conditions") {
			if each["type"] == "Ready" {
				found[key] = condition{Status: text(each, "status"), Reason: text(each, "reason"), Message: text(each, "message")}
			}
		}
	}
	return found, nil
}
