# SPDX-License-Identifier: Apache-2.0
"""A small JSON Schema validator for the keywords that pyptoc's schemas and the SARIF schema use; others are errors."""
import re

TYPES = {
    "null": lambda v: v is None,
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool) or isinstance(v, float) and v.is_integer(),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "string": lambda v: isinstance(v, str),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}
ANNOTATIONS = {"$schema", "$id", "id", "$defs", "definitions", "title", "description", "default", "format", "examples",
               "$comment", "readOnly"}


def same(a, b):
    """Equality of JSON, where true is not 1."""
    return a == b and isinstance(a, bool) == isinstance(b, bool)


class Validator:
    def __init__(self, schema):
        self.root = schema

    def errors(self, value, schema=None, at="$"):
        """What is wrong with the value, as `PATH: WORDS`, empty when it is valid."""
        schema = self.root if schema is None else schema
        if schema is True or schema == {}:
            return
        if schema is False:
            yield f"{at}: nothing may be here"
            return
        for keyword, content in schema.items():
            if keyword in ANNOTATIONS:
                continue
            check = getattr(self, "check_" + keyword.replace("$", ""), None)
            if check is None:
                raise NotImplementedError(f"schema keyword {keyword}")
            yield from check(value, content, schema, at)

    def is_valid(self, value, schema):
        return next(self.errors(value, schema), None) is None

    def target(self, ref):
        assert ref.startswith("#/"), ref
        schema = self.root
        for part in ref[2:].split("/"):
            schema = schema[part]
        return schema

    def check_ref(self, value, ref, _schema, at):
        yield from self.errors(value, self.target(ref), at)

    def check_type(self, value, types, _schema, at):
        types = [types] if isinstance(types, str) else types
        if not any(TYPES[t](value) for t in types):
            yield f"{at}: expected {' or '.join(types)}, found {value!r:.60}"

    def check_const(self, value, wanted, _schema, at):
        if not same(value, wanted):
            yield f"{at}: expected {wanted!r}, found {value!r:.60}"

    def check_enum(self, value, choices, _schema, at):
        if not any(same(value, choice) for choice in choices):
            yield f"{at}: expected one of {choices}, found {value!r:.60}"

    def check_anyOf(self, value, schemas, _schema, at):
        if not any(self.is_valid(value, s) for s in schemas):
            yield f"{at}: fits none of the {len(schemas)} alternatives: {value!r:.100}"

    def check_oneOf(self, value, schemas, _schema, at):
        fitting = sum(self.is_valid(value, s) for s in schemas)
        if fitting != 1:
            yield f"{at}: fits {fitting} of the {len(schemas)} alternatives: {value!r:.100}"

    def check_allOf(self, value, schemas, _schema, at):
        for schema in schemas:
            yield from self.errors(value, schema, at)

    def check_not(self, value, schema, _schema, at):
        if self.is_valid(value, schema):
            yield f"{at}: fits what it must not"

    def check_required(self, value, names, _schema, at):
        if isinstance(value, dict):
            for name in names:
                if name not in value:
                    yield f"{at}: `{name}` is missing"

    def check_dependencies(self, value, table, _schema, at):
        if isinstance(value, dict):
            for name, needed in table.items():
                if name in value:
                    yield from self.check_required(value, needed, _schema, at)

    def check_properties(self, value, table, _schema, at):
        if isinstance(value, dict):
            for name, schema in table.items():
                if name in value:
                    yield from self.errors(value[name], schema, f"{at}.{name}")

    def check_additionalProperties(self, value, content, schema, at):
        if isinstance(value, dict):
            for name, entry in value.items():
                if name not in schema.get("properties", {}):
                    yield from self.errors(entry, content, f"{at}.{name}")

    def check_items(self, value, schema, _schema, at):
        if isinstance(value, list):
            for i, entry in enumerate(value):
                yield from self.errors(entry, schema, f"{at}[{i}]")

    def check_minItems(self, value, least, _schema, at):
        if isinstance(value, list) and len(value) < least:
            yield f"{at}: fewer than {least} entries"

    def check_uniqueItems(self, value, wanted, _schema, at):
        if wanted and isinstance(value, list) and any(same(a, b) for i, a in enumerate(value) for b in value[:i]):
            yield f"{at}: an entry occurs twice"

    def check_minimum(self, value, least, _schema, at):
        if TYPES["number"](value) and value < least:
            yield f"{at}: {value} is less than {least}"

    def check_maximum(self, value, most, _schema, at):
        if TYPES["number"](value) and value > most:
            yield f"{at}: {value} is more than {most}"

    def check_minLength(self, value, least, _schema, at):
        if isinstance(value, str) and len(value) < least:
            yield f"{at}: shorter than {least}"

    def check_pattern(self, value, pattern, _schema, at):
        if isinstance(value, str) and not re.search(pattern, value):
            yield f"{at}: {value!r} does not match {pattern}"
