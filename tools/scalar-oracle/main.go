// Command scalar-oracle records the values that Kubernetes reads from ambiguous plain scalars.
//
// It prints one line per scalar: the scalar, a tab, and the JSON that Kubernetes' reader makes of it
// as the value of a key, or "error". See README.md for how the recording is made.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"strings"

	"sigs.k8s.io/yaml"
)

const seed, wanted = 20011214, 4000

// words are the scalars that the readers' own tables name, and the classics of every list of traps.
var words = strings.Fields(`
y Y yes Yes YES yEs n N no No NO nO true True TRUE tRUE false False FALSE fALSE on On ON oN off Off OFF oFf
~ null Null NULL nUll nil none None .inf .Inf .INF .iNf +.inf +.Inf -.inf -.INF .nan .NaN .NAN .Nan +.nan inf nan NaN
0 -0 +0 00 000 01 -01 +01 012 -012 0777 08 09 -08 019 0o7 0o777 0O7 0o8 +0o7 -0o7 0x 0x1F 0X1f 0xg +0x1F -0x1F 0x_1 0b 0b101 0B11
-0b101 +0b1 0b2 0b-101 0b+1 -0b+1 0b-2 1_000 1__0 1_ 1_000.5 0_7 0_8 0_ 0x_ 0b_ -_1 1e3 1E3 1e+3 1e-3 1.e3 1.5e3 1.5E+3 -.5 +.5 .5 .5_5 .5_ ._5
.5e3 .5e_3 .5e3_0 . .. ... + - -- +- -+1 ++1 1. 1.0 1.10 -1.0 80.0 3.0 1.2.3 1,000 12e03 12:30 12:30:45 1:30 1:2:3 1:60 0:30 01:30 190:20:30.15 1:30. 1:30.5_
2001-01-01 2001-1-1 2001-13-01 2001-02-30 2001-12-14T21:59:43Z 2001-12-14t21:59:43.10-05:00 2001-12-14T21:59:43 20010101 2001-01 2001-
= << <<< <> 1e400 -1e400 0.1e400 1e-400 1e308 1.8e308 1e99999999999999999999 0e99999999999999999999
9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616
+18446744073709551615 -18446744073709551615 0xFFFFFFFFFFFFFFFF 0xFFFFFFFFFFFFFFFFF -0xFFFFFFFFFFFFFFFF 01777777777777777777777 02000000000000000000000
0b1111111111111111111111111111111111111111111111111111111111111111 -0b1000000000000000000000000000000000000000000000000000000000000000
9007199254740993.0 4611686018427387904.0 1e18 1e19 1e20 1e21 1e22 123456789012345678901234567890 100000000000000000000000 0.000001 0.0000001 123456.789e3
v1.2 1.2.3-rc1 1e 1e+ e3 0e 0e0 0x1p3 0x1.8 1_e3 1e_3 1e3_0 6e5d3 1234567e1 22e10 0e1 00e1 012.5 012e1 -012.5 0777_ 0_777 0o_7 0b_1 0x1_F
`)

// pieces are joined at random; most risks lie where two of them meet.
var pieces = []string{
	"0", "1", "7", "8", "9", "12", "60", "00", "2001", "-", "+", ".", "_", ":", "e", "E", "x", "X", "o", "O", "b", "B",
	"0x", "0o", "0b", "a", "f", "F", "T", "Z", "-0", "inf", "nan", "y", "n", "e+", "e-", "E5", "5", "23",
}

func main() {
	random := rand.New(rand.NewSource(seed))
	scalars := append([]string{}, words...)
	seen := map[string]bool{}
	for _, word := range words {
		seen[word] = true
	}
	for len(scalars) < wanted {
		var text strings.Builder
		for range 1 + random.Intn(6) {
			text.WriteString(pieces[random.Intn(len(pieces))])
		}
		if scalar := text.String(); !seen[scalar] && isPlain(scalar) {
			seen[scalar] = true
			scalars = append(scalars, scalar)
		}
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, scalar := range scalars {
		if isPlain(scalar) {
			fmt.Fprintf(out, "%s\t%s\n", scalar, read(scalar))
		}
	}
}

// isPlain reports whether the text is a plain scalar on one line.
func isPlain(scalar string) bool {
	if strings.HasSuffix(scalar, ":") || strings.HasPrefix(scalar, ":") || scalar == "-" {
		return false
	}
	return scalar != "---" && scalar != "..."
}

func read(scalar string) string {
	json, err := yaml.YAMLToJSON([]byte("k: " + scalar + "\n"))
	if err != nil {
		return "error"
	}
	json = bytes.TrimSuffix(bytes.TrimPrefix(json, []byte(`{"k":`)), []byte("}"))
	return string(json)
}
