package main

import (
	"errors"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
)

// Verdict is the answer to the creation of one document.
type Verdict struct {
	ID string `json:"id"`
	// Kind is the kind that the document names.
	Kind string `json:"kind"`
	// Stage is where the request ended: "accepted", "envelope", "decode", "strict", "validation",
	// "admission" or "panic".
	Stage string `json:"stage"`
	// Errors is empty exactly where the document is accepted.
	Errors []Finding `json:"errors,omitempty"`
	// Baseline and Restricted are the reasons that Pod Security rejects the Pods of an accepted object.
	Baseline   []string `json:"baseline,omitempty"`
	Restricted []string `json:"restricted,omitempty"`
	// Warnings are the server's warnings about an accepted object.
	Warnings []string `json:"warnings,omitempty"`
}

// Finding is one error, as the server's answer lists it.
type Finding struct {
	Field  string `json:"field,omitempty"`
	Type   string `json:"type"`
	Detail string `json:"detail,omitempty"`
}

const (
	stageAccepted   = "accepted"
	stageEnvelope   = "envelope"
	stageDecode     = "decode"
	stageStrict     = "strict"
	stageValidation = "validation"
	stageAdmission  = "admission"
	stagePanic      = "panic"
	// Only updates end here: the merge of the manifest, and the addresses and ports of a Service.
	stageApply      = "apply"
	stageAllocation = "allocation"
)

// detailLimit is the length in bytes to which messages are shortened in a recording.
const detailLimit = 100

func refused(kind, stage string, err error) Verdict {
	return Verdict{Kind: kind, Stage: stage, Errors: findings(err)}
}

// findings lists the causes of an error of the API server, in an order that does not depend on the iteration of maps.
func findings(err error) []Finding {
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		var all []Finding
		for _, each := range strict.Errors() {
			all = append(all, Finding{Type: "Strict", Detail: shorten(each.Error())})
		}
		return all
	}
	var status *apierrors.StatusError
	if !errors.As(err, &status) || status.ErrStatus.Details == nil || len(status.ErrStatus.Details.Causes) == 0 {
		return []Finding{{Type: "BadRequest", Detail: shorten(err.Error())}}
	}
	var all []Finding
	for _, cause := range status.ErrStatus.Details.Causes {
		all = append(all, Finding{Field: cause.Field, Type: string(cause.Type), Detail: shorten(cause.Message)})
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		return a.Field < b.Field || a.Field == b.Field && (a.Type < b.Type || a.Type == b.Type && a.Detail < b.Detail)
	})
	return all
}

// random matches random values of the server: the UID of the object.
var random = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// shorten keeps a recording small and reproducible.
func shorten(text string) string {
	text = random.ReplaceAllString(text, "<uid>")
	if strings.HasPrefix(text, "Invalid value: {") || strings.HasPrefix(text, "Invalid value: map") {
		// A printed map has no fixed order; the message follows it.
		if at := strings.LastIndex(text, ": "); at > len("Invalid value") {
			text = "Invalid value: {…}" + text[at:]
		}
	}
	if len(text) <= detailLimit {
		return text
	}
	end := detailLimit
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}
