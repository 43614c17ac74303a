"""An OpenAPI 3.1 document as a judge of answers: paths, statuses, fields and bodies, with as much of JSON Schema
as the document uses. A keyword that isn't known here is an error, so that nothing is passed over.
"""

import json
import re

_TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
_REMARKS = {"description", "default", "contentMediaType", "contentSchema"}


class Fault(AssertionError):
    """An answer that the document doesn't describe."""


class Description:
    def __init__(self, text):
        self.document = json.loads(text)
        self._paths = []
        self.seen = set()  # the operation, the status and the problem's type of each answer that was judged
        for path, item in self.document["paths"].items():
            pattern = "".join(
                "[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", path)
            )
            self._paths.append((re.compile(pattern), path, item))

    def _resolved(self, thing):
        while "$ref" in thing:
            place = self.document
            for part in thing["$ref"].removeprefix("#/").split("/"):
                place = place[part]
            thing = place
        return thing

    # ---- Schemas

    def _described(self, schema):
        """The members that a schema describes."""
        schema = self._resolved(schema)
        return set(schema.get("properties", ())).union(*(self._described(part) for part in schema.get("allOf", ())))

    def fault(self, value, schema, at="body", is_part=False):
        """Why a value isn't what a schema says; None if it is. A schema that describes members describes all of them: to
        a client, others may come with another version, but a test knows them."""
        schema = self._resolved(schema)
        described = self._described(schema)
        if described and not is_part and isinstance(value, dict) and (unknown := set(value) - described):
            return f"{at}: {unknown} aren't described"
        for keyword in schema:
            if keyword in _REMARKS:
                continue
            judge = getattr(self, "_" + keyword, None)
            if judge is None:
                raise ValueError(f"{keyword} isn't known here")
            if fault := judge(value, schema, at):
                return fault
        return None

    def _type(self, value, schema, at):
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(_TYPES[one](value) for one in types):
            return f"{at}: {value!r} isn't {' or '.join(types)}"

    def _enum(self, value, schema, at):
        if value not in schema["enum"]:
            return f"{at}: {value!r} is none of {schema['enum']}"

    def _const(self, value, schema, at):
        if value != schema["const"]:
            return f"{at}: {value!r} isn't {schema['const']!r}"

    def _pattern(self, value, schema, at):
        if isinstance(value, str) and not re.search(schema["pattern"], value):
            return f"{at}: {value!r} isn't like {schema['pattern']}"

    def _bound(self, value, schema, at, keyword, kind, size, is_within):
        if isinstance(value, kind) and not isinstance(value, bool) and not is_within(size(value), schema[keyword]):
            return f"{at}: {value!r} isn't within {keyword} {schema[keyword]}"

    def _minimum(self, value, schema, at):
        return self._bound(value, schema, at, "minimum", (int, float), lambda x: x, lambda x, y: x >= y)

    def _maximum(self, value, schema, at):
        return self._bound(value, schema, at, "maximum", (int, float), lambda x: x, lambda x, y: x <= y)

    def _minLength(self, value, schema, at):
        return self._bound(value, schema, at, "minLength", str, len, lambda x, y: x >= y)

    def _minItems(self, value, schema, at):
        return self._bound(value, schema, at, "minItems", list, len, lambda x, y: x >= y)

    def _maxItems(self, value, schema, at):
        return self._bound(value, schema, at, "maxItems", list, len, lambda x, y: x <= y)

    def _items(self, value, schema, at):
        if isinstance(value, list):
            faults = (self.fault(item, schema["items"], f"{at}[{i}]") for i, item in enumerate(value))
            return next(filter(None, faults), None)

    def _required(self, value, schema, at):
        if isinstance(value, dict):
            missing = [name for name in schema["required"] if name not in value]
            return f"{at}: {missing} are missing" if missing else None

    def _dependentRequired(self, value, schema, at):
        if isinstance(value, dict):
            missing = [(name, other) for name, others in schema["dependentRequired"].items() if name in value
                       for other in others if other not in value]
            return f"{at}: the second of each isn't there: {missing}" if missing else None

    def _properties(self, value, schema, at):
        if isinstance(value, dict):
            faults = (
                self.fault(value[name], one, f"{at}.{name}") for name, one in schema["properties"].items() if name in value
            )
            return next(filter(None, faults), None)

    def _additionalProperties(self, value, schema, at):
        unknown = set(value) - set(schema["properties"]) if isinstance(value, dict) else None
        return f"{at}: {unknown} aren't described" if unknown and schema["additionalProperties"] is False else None

    def _anyOf(self, value, schema, at):
        faults = [self.fault(value, one, at) for one in schema["anyOf"]]
        return None if None in faults else f"{at}: {faults}"

    def _allOf(self, value, schema, at):
        return next(filter(None, (self.fault(value, one, at, is_part=True) for one in schema["allOf"])), None)

    # ---- Answers

    def operation(self, method, path):
        """The path as the document has it, and the operation; None where it has none."""
        for pattern, template, item in self._paths:
            if pattern.fullmatch(path):
                return template, item.get("get" if method == "HEAD" else method.lower())
        return None, None

    def judge(self, method, path, status, headers, body):
        """Raises Fault unless the document describes this answer. Header names are in lower case."""
        template = self._judge(method, path, status, headers, body)
        is_problem = headers.get("content-type") == "application/problem+json" and body
        self.seen.add((method, template, status, json.loads(body)["type"] if is_problem else None))
        return template

    def statuses(self):
        """Each operation of the document with each status that it is described to answer."""
        for _, path, item in self._paths:
            for method, operation in item.items():
                if "responses" in operation:
                    yield from ((method.upper(), path, int(status)) for status in operation["responses"])

    def _judge(self, method, path, status, headers, body):
        told = f"{method} {path}: {status} {body[:300]!r}"
        template, operation = self.operation(method, path)
        if operation is None:
            # An unknown path is answered with an ordinary problem. Other methods are refused, or are OPTIONS.
            if status not in (204, 304):
                self._judge_problem(status, headers, body, told, method)
            return template
        described = operation["responses"].get(str(status))
        if described is None:
            raise Fault(f"{told}: the status isn't described")
        described = self._resolved(described)
        for name in described.get("headers", {}):
            required = name in ("Allow", "ETag", "Location", "WWW-Authenticate") or (name == "Retry-After" and status == 429)
            if required and name.lower() not in headers:
                raise Fault(f"{told}: there is no {name}")
        content = described.get("content")
        if content is None:
            if body:
                raise Fault(f"{told}: a body isn't described")
            return template
        media = headers.get("content-type", "").split(";")[0]
        if media not in content:
            raise Fault(f"{told}: {media} isn't described")
        if method != "HEAD" and media.endswith("json"):
            if fault := self.fault(json.loads(body), content[media]["schema"]):
                raise Fault(f"{told}: {fault}")
        if media == "application/problem+json":
            self._judge_problem(status, headers, body, told, method)
        return template

    def _judge_problem(self, status, headers, body, told, method):
        if headers.get("content-type") != "application/problem+json":
            raise Fault(f"{told}: it isn't a problem")
        if method == "HEAD":
            return
        problem = json.loads(body)
        if fault := self.fault(problem, {"$ref": "#/components/schemas/Problem"}):
            raise Fault(f"{told}: {fault}")
        if problem["status"] != status:
            raise Fault(f"{told}: the problem says another status")
