// Records the results of the API server's CEL environment for a list of expressions.
//
//	go run -mod=mod -modfile=modules/1.36/go.mod ./expressions ../../fixtures/cel ../../crates/kubernetes/src/cel/declarations.txt
//
// It reads schema.yaml, object.yaml and expressions.txt of the folder, and writes verdicts.jsonl (one line per
// expression) there, and the table of declarations: the functions, and the first release that accepts them.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"sigs.k8s.io/yaml"
)

// Minors of the server. Its new definitions may use what the release before it had.
var minors = []uint{33, 34, 35, 36, 37}

const newest = 36

type verdict struct {
	Expression string `json:"expression"`
	// Refused is the first line of the compiler's error; empty if it accepts the expression.
	Refused string `json:"refused,omitempty"`
	// Minors are the versions that accept the expression although the newest rejects it, or the other way round.
	Differs []string `json:"differs,omitempty"`
	Type    string   `json:"type,omitempty"`
	// Cost is the estimate before the evaluation; Spent is the actual cost.
	Cost  uint64 `json:"cost,omitempty"`
	Value string `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
	Spent uint64 `json:"spent,omitempty"`
}

func main() {
	folder := os.Args[1]
	root := must(readSchema(filepath.Join(folder, "schema.yaml")))
	object := map[string]any{}
	// Decode as the server does: integers remain integers.
	check(utiljson.Unmarshal(must(yaml.YAMLToJSON(must(os.ReadFile(filepath.Join(folder, "object.yaml"))))), &object))
	defaulting.Default(object, root)
	environments := map[uint]*cel.Env{}
	declared := model.SchemaDeclType(root, true).MaybeAssignTypeName("selfType")
	for _, minor := range minors {
		environments[minor] = must(newEnvironment(minor, declared))
	}
	writeDeclarations(os.Args[2], environments)
	input := must(os.Open(filepath.Join(folder, "expressions.txt")))
	output := must(os.Create(filepath.Join(folder, "verdicts.jsonl")))
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	lines := bufio.NewScanner(input)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		check(encoder.Encode(judge(line, environments, declared, root, object)))
	}
	check(output.Close())
}

func judge(expression string, environments map[uint]*cel.Env, declared *apiservercel.DeclType, root *schema.Structural, object map[string]any) verdict {
	result := verdict{Expression: expression}
	env := environments[newest]
	ast, issues := env.Compile(expression)
	for _, minor := range minors {
		_, other := environments[minor].Compile(expression)
		if (other == nil) != (issues == nil) {
			result.Differs = append(result.Differs, fmt.Sprintf("1.%d", minor))
		}
	}
	if issues != nil {
		result.Refused = strings.SplitN(issues.String(), "\n", 2)[0]
		return result
	}
	result.Type = strings.ReplaceAll(ast.OutputType().String(), "selfType", "object")
	estimator := &library.CostEstimator{SizeEstimator: &sizes{declared}}
	program, err := env.Program(ast, cel.CostLimit(celconfig.PerCallLimit), cel.CostTracking(estimator))
	if err != nil {
		result.Refused = "program: " + err.Error()
		return result
	}
	estimate, err := env.EstimateCost(ast, estimator)
	check(err)
	result.Cost = estimate.Max
	value, details, err := program.Eval(map[string]any{"self": schemacel.UnstructuredToVal(object, model.WithTypeAndObjectMeta(root))})
	if details != nil && details.ActualCost() != nil {
		result.Spent = *details.ActualCost()
	}
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Value = show(value)
	return result
}

func show(value ref.Val) string {
	if types.IsError(value) {
		return fmt.Sprint(value)
	}
	switch it := value.(type) {
	case types.String:
		return fmt.Sprintf("%q", string(it))
	case *types.Optional:
		if !it.HasValue() {
			return "none"
		}
		return "optional " + show(it.GetValue())
	}
	if list, ok := value.(traits.Lister); ok {
		items := []string{}
		for it := list.Iterator(); it.HasNext() == types.True; {
			items = append(items, show(it.Next()))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	if entries, ok := value.(traits.Mapper); ok {
		items := []string{}
		for it := entries.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			// Fields that no schema declares cannot be accessed.
			if key == nil {
				continue
			}
			items = append(items, show(key)+": "+show(entries.Get(key)))
		}
		sort.Strings(items)
		return "{" + strings.Join(items, ", ") + "}"
	}
	if text, ok := value.ConvertToType(types.StringType).(types.String); ok {
		return string(text)
	}
	return value.Type().TypeName()
}

func newEnvironment(minor uint, declared *apiservercel.DeclType) (*cel.Env, error) {
	set, err := environment.MustBaseEnvSet(version.MajorMinor(1, minor-1)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", declared.CelType()), cel.Variable("oldSelf", declared.CelType())},
		DeclTypes:         []*apiservercel.DeclType{declared},
	})
	if err != nil {
		return nil, err
	}
	return set.NewExpressionsEnv(), nil
}

func writeDeclarations(path string, environments map[uint]*cel.Env) {
	since := map[string]uint{}
	lines := map[string]string{}
	for _, minor := range minors {
		for name, function := range environments[minor].Functions() {
			for _, overload := range function.OverloadDecls() {
				key := name + " " + overload.ID()
				if _, found := since[key]; found {
					continue
				}
				since[key] = minor
				arguments := []string{}
				for _, argument := range overload.ArgTypes() {
					arguments = append(arguments, argument.String())
				}
				target := ""
				if overload.IsMemberFunction() {
					target = arguments[0] + "."
					arguments = arguments[1:]
				}
				lines[key] = fmt.Sprintf("%s %s %s(%s) -> %s", name, overload.ID(), target, strings.Join(arguments, ", "), overload.ResultType())
			}
		}
	}
	keys := []string{}
	for key := range lines {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	var text strings.Builder
	for _, key := range keys {
		fmt.Fprintf(&text, "1.%d %s\n", since[key], lines[key])
	}
	check(os.WriteFile(path, []byte(text.String()), 0o644))
}

func readSchema(path string) (*schema.Structural, error) {
	external := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.Unmarshal(must(os.ReadFile(path)), external); err != nil {
		return nil, err
	}
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil); err != nil {
		return nil, err
	}
	return schema.NewStructural(internal)
}

// sizes returns the size limits of the schema, like the server's own estimator, which is not exported.
type sizes struct{ root *apiservercel.DeclType }

func (s *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if len(element.Path()) == 0 {
		return nil
	}
	at := s.root
	for _, name := range element.Path()[1:] {
		switch name {
		case "@items", "@values":
			at = at.ElemType
		case "@keys":
			at = at.KeyType
		default:
			field, ok := at.Fields[name]
			if !ok {
				return nil
			}
			at = field.Type
		}
		if at == nil {
			return nil
		}
	}
	return &checker.SizeEstimate{Max: uint64(at.MaxElements)}
}

func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
