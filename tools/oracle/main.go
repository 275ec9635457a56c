// Command oracle prints the verdicts of the API server of one Kubernetes minor version on the documents of YAML streams.
//
// It links the server's own code: the strict serializers, the defaults, the create strategies with their validation,
// the schema machinery of custom resources, and Pod Security. Documents are separated by lines "--- # <name>"; the
// verdict of each is one JSON line, known by "<stream>#<name>".
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	var task asked
	flag.StringVar(&task.root, "root", ".", "the folder that the names of the streams are relative to")
	url := flag.String("server", "", "ask a running API server at this address instead of the linked code")
	token := flag.String("token", "", "the bearer token for that server")
	against := flag.String("against", "", "print only the verdicts that accept what this recording refuses, or the other way round")
	program := flag.String("minimise", "", "print the smallest documents on which this sandboxc says something else")
	version := flag.String("kubernetes", "1.36", "the minor that this sandboxc is to judge for")
	outputs := flag.String("outputs", "", "apply the objects of this file to the server, and print the verdicts")
	admission := flag.Bool("admission", false, "create the objects of each case on the server, and print the verdicts")
	policies := flag.Bool("policies", false, "create the objects of each case under its admission policies, and print the responses")
	pruned := flag.Bool("pruning", false, "print how the linked code decodes values under generated schemas")
	defaulted := flag.Bool("defaults", false, "print the verdicts on definitions with generated defaults")
	pairs := flag.String("updates", "", "print the verdicts on the updates in these files, which change documents of the streams")
	flag.Parse()
	if *url != "" {
		task.running = newLive(*url, *token)
	}
	if *program != "" {
		task.minimiser = &minimiser{program: *program, version: *version, out: os.Stdout}
	}
	var err error
	if *pruned {
		err = judgePruning(os.Stdout)
	} else if *defaulted {
		err = judgeDefaults(os.Stdout)
	} else if *pairs != "" {
		err = judgeUpdates(task.root, *pairs, flag.Args(), os.Stdout)
	} else if *outputs != "" && task.running != nil {
		err = judgeOutputs(*outputs, task.running, os.Stdout)
	} else if *admission && task.running != nil {
		err = judgeAdmission(task.root, flag.Args(), task.running, os.Stdout)
	} else if *policies && task.running != nil {
		err = judgePolicies(task.root, flag.Args(), task.running, os.Stdout)
	} else if *outputs != "" || *admission || *policies {
		err = errors.New("-outputs, -admission and -policies need -server")
	} else if task.known, err = accepted(*against); err == nil {
		err = task.run(flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

// asked has the values of the flags.
type asked struct {
	root string
	// running, if set, is used instead of the linked code.
	running *live
	// known are the verdicts of a recording. Equal verdicts are not printed.
	known map[string]bool
	// minimiser, if set, prints small documents instead of verdicts.
	minimiser *minimiser
}

func (a *asked) run(folders []string) error {
	streams, err := readStreams(a.root, folders)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	encoder := lines(out)
	for _, it := range streams {
		if err := a.stream(it, encoder); err != nil {
			return err
		}
	}
	return out.Flush()
}

// stream prints the verdicts on the documents of one stream.
func (a *asked) stream(from stream, encoder *json.Encoder) error {
	server := newServer()
	for _, document := range from.documents {
		id := from.name + "#" + document.name
		create := server.create
		if a.running != nil {
			create = func(text []byte) Verdict { return a.running.create(text, document.name) }
		}
		if a.minimiser != nil {
			if err := a.minimiser.add(id, []byte(document.text), create); err != nil {
				return err
			}
			continue
		}
		verdict := create([]byte(document.text))
		verdict.ID = id
		if isAccepted, ok := a.known[id]; ok && isAccepted == (verdict.Stage == stageAccepted) {
			continue
		}
		if err := encoder.Encode(verdict); err != nil {
			return err
		}
	}
	if a.running != nil {
		a.running.endStream()
	}
	return nil
}

// accepted reads the documents that a recording accepts, or nothing without a path.
func accepted(path string) (map[string]bool, error) {
	known := map[string]bool{}
	if path == "" {
		return known, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for decoder := json.NewDecoder(file); decoder.More(); {
		var verdict Verdict
		if err := decoder.Decode(&verdict); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		known[verdict.ID] = verdict.Stage == stageAccepted
	}
	return known, nil
}
