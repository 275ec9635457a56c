"""Hostile inputs: each function in `shapes` returns the files of one input, of `n` repetitions.

`INPUTS` has the name, the function, and the number of repetitions that makes about 10 MB, or as many as the
shape allows. `COMMANDS` has the command lines of the inputs that are not for `check` and `build`.
"""

import shapes.language  # noqa: F401
import shapes.files  # noqa: F401
import shapes.objects  # noqa: F401
import shapes.custom_resources  # noqa: F401
import shapes.systems  # noqa: F401
import shapes.agent_sandbox  # noqa: F401
import shapes.controllers  # noqa: F401
import shapes.imports  # noqa: F401
import shapes.commands  # noqa: F401
import shapes.names  # noqa: F401
import shapes.admission  # noqa: F401
import shapes.pairs  # noqa: F401
import shapes.definitions  # noqa: F401
import shapes.lookups  # noqa: F401
import shapes.policies  # noqa: F401
import shapes.text  # noqa: F401
import shapes.quantities  # noqa: F401
import shapes.long_texts  # noqa: F401
import shapes.cel  # noqa: F401
import shapes.editor  # noqa: F401
from shapes.common import COMMANDS, INPUTS  # noqa: F401
