"""Reads the engine's C ABI from native/engine.h, so that nothing is declared twice.

Structs become ctypes structures with the same fields, and functions get the types of their arguments. The parser only
understands the constructs of that header: typedefs of structs, opaque handles and callbacks, and functions that begin
with PALESTRA_API.
"""

import ctypes
import re
from pathlib import Path

HEADER = Path(__file__).resolve().parent.parent / "engine.h"

SCALARS = {
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "uint8_t": ctypes.c_uint8,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}


class Abi:
    """Declarations by name: structs and callbacks as ctypes types, functions as lists of argument types."""

    def __init__(self, header=HEADER):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.DOTALL)
        self.handles = set(re.findall(r"typedef struct (\w+) \1;", text))
        self.structs = {}
        self.callbacks = {}
        # In the order of the header, because later declarations use earlier ones.
        for match in re.finditer(r"typedef struct {(.*?)} (\w+);|typedef void \(\*(\w+)\)\((.*?)\);", text, re.DOTALL):
            body, struct, callback, parameters = match.groups()
            if struct:
                self.structs[struct] = type(struct, (ctypes.Structure,), {"_fields_": self._fields(body)})
            else:
                self.callbacks[callback] = ctypes.CFUNCTYPE(None, *self._types(parameters))
        functions = re.findall(r"PALESTRA_API [\w *]+?(palestra_\w+)\((.*?)\);", text, re.DOTALL)
        self.functions = {name: self._types(parameters) for name, parameters in functions}

    def _fields(self, body):
        """Parses `const char* name;` and `const float *weight, *advantage;`: each star belongs to one name."""
        fields = []
        for declaration in body.split(";")[:-1]:
            declarators = declaration.split(",")
            base = base_of(declarators[0])
            fields += [(words(each)[-1], self._type(base, each.count("*"))) for each in declarators]
        return fields

    def _types(self, parameters):
        """Returns the types of parameters, which may be unnamed."""
        if parameters.strip() in ("", "void"):
            return []
        return [self._type(base_of(each), each.count("*")) for each in parameters.split(",")]

    def _type(self, base, stars):
        if base == "char" or base == "void" or base in self.handles:
            kind, stars = (ctypes.c_char_p if base == "char" else ctypes.c_void_p), stars - 1
        else:
            kind = SCALARS.get(base) or self.callbacks.get(base) or self.structs[base]
        for _ in range(stars):
            kind = ctypes.POINTER(kind)
        return kind


def words(text):
    return re.findall(r"\w+", text)


def base_of(declaration):
    return next(word for word in words(declaration) if word != "const")


# Code::out_of_memory in core/failure.h.
OUT_OF_MEMORY = 2


class EngineError(RuntimeError):
    """A failed call of the ABI. code: a number of core/failure.h"""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Library:
    """libpalestra.so. `call("model_create", ...)` calls palestra_model_create; a failure raises EngineError."""

    def __init__(self, path):
        self.abi = Abi()
        self._library = ctypes.CDLL(str(path))
        for name, types in self.abi.functions.items():
            getattr(self._library, name).argtypes = types
        self._library.palestra_last_error.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        types = self.abi.functions[f"palestra_{name}"]
        # ctypes does not accept None as a null callback.
        given = [
            kind() if each is None and kind in self.abi.callbacks.values() else each
            for kind, each in zip(types, arguments, strict=True)
        ]
        code = getattr(self._library, f"palestra_{name}")(*given)
        if code != 0:
            raise EngineError(code, self.last_error())

    def last_error(self):
        return self._library.palestra_last_error().decode()

    def make(self, struct, **fields):
        """Makes a struct: `library.make("adamw", lr=1e-3)` is a palestra_adamw. Other fields are zero."""
        kind = self.abi.structs[f"palestra_{struct}"]
        unknown = fields.keys() - {name for name, _ in kind._fields_}
        if unknown:
            raise TypeError(f"expected fields of palestra_{struct}, but received {', '.join(sorted(unknown))}")
        return kind(**fields)

    def callback(self, name, function):
        return self.abi.callbacks[f"palestra_{name}"](function)
