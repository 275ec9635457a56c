// Command quantities records the canonical form of quantities: how resource.Quantity encodes the string that it decodes.
//
// It prints one line per string: the string, a tab, and the canonical form, or "error".
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// numbers are before the unit: signs, leading and missing digits, and the bounds at which the parser rounds, clamps or
// changes its arithmetic.
var numbers = strings.Fields(`
0 00 -0 +0 0.0 1 01 +1 -1 -01 1. .5 0.5 -.5 +.5 -0.5 1.5 -1.5 1.10 0.1 0.25 0.125 0.0001 0.001 0.0000000001 1.0000000001 -0.0000000001
10 100 999 1000 1001 1023 1024 1025 1500 2000 2048 -1024 -2048 10000 12000 65536 1000000 1048576 100000000 1073741824
1000000000000 1099511627776 1.000000001 1.0000000009 1023.5 1024.5 0.9765625 1536 -1536.5 9007199254740993
9223372036854775807 9223372036854775808 -9223372036854775808 9223372036854775.807 18446744073709551616 99999999999999999999
123456789012345678 1234567890123456789 1.23456789012345678 0.123456789123456789 1000000000000000000 1000000000000000001
. + - -. +. 1.2.3 --1 ++1 1_000 1,5 0x10 1e
`)

var units = append([]string{""}, strings.Fields(`
n u m k M G T P E Ki Mi Gi Ti Pi Ei e0 e1 e2 e3 e-3 E3 E+3 e+03 e-1 E-10 e6 e9 e18 e-9 e-12 e20 K g Kib MB i e x
`)...)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, number := range numbers {
		for _, unit := range units {
			fmt.Fprintf(out, "%s\t%s\n", number+unit, canonical(number+unit))
		}
	}
	for _, text := range append(units[1:], " 1", "1 ", " 1Gi ", "1 Gi", "e3", "Ki5", "1Gi5") {
		fmt.Fprintf(out, "%s\t%s\n", text, canonical(text))
	}
}

func canonical(text string) string {
	var quantity resource.Quantity
	written, err := json.Marshal(text)
	if err == nil {
		err = json.Unmarshal(written, &quantity)
	}
	if err == nil {
		written, err = json.Marshal(quantity)
	}
	if err != nil {
		return "error"
	}
	return strings.Trim(string(written), `"`)
}
