"""Prints which of the strings on standard input PyYAML (or ruamel.yaml) does not read as strings.

The argument is pyyaml, ruamel-1.1 or ruamel-1.2. The readers' own resolvers give the verdict.
"""

import sys


def resolver(name):
    if name == "pyyaml":
        import yaml

        loader = yaml.SafeLoader("")
        return lambda text: loader.resolve(yaml.ScalarNode, text, (True, False))
    import ruamel.yaml
    from ruamel.yaml.nodes import ScalarNode

    reader = ruamel.yaml.YAML(typ="safe", pure=True)
    reader.version = (1, 1) if name == "ruamel-1.1" else (1, 2)
    found = reader.resolver
    return lambda text: str(found.resolve(ScalarNode, text, (True, False)))


def main():
    resolve = resolver(sys.argv[1])
    for line in sys.stdin:
        text = line.rstrip("\n")
        if resolve(text) != "tag:yaml.org,2002:str":
            sys.stdout.write(line)


main()
