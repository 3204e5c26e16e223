#!/bin/bash
set -e
cd /app
cat > run.py <<'END'
import re
import sys

KEYWORDS = {"while", "if", "end", "print"}
LEVELS = [("<", "="), ("+", "-"), ("*", "/", "%")]


class Bad(Exception):
    pass


class Stop(Exception):
    pass


class Parser:
    def __init__(self, text):
        self.tokens = re.findall(r"[0-9]+|[a-z]+|[^\s]", text)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        token = self.peek()
        self.at += 1
        return token

    def whole(self):
        value = self.level(0)
        if self.peek():
            raise Bad
        return value

    def level(self, depth):
        if depth == len(LEVELS):
            return self.unary()
        left = self.level(depth + 1)
        while self.peek() and self.peek() in LEVELS[depth]:
            left = (self.take(), left, self.level(depth + 1))
        return left

    def unary(self):
        token = self.take()
        if token == "-":
            return ("-", 0, self.unary())
        if token == "(":
            inner = self.level(0)
            if self.take() != ")":
                raise Bad
            return inner
        if re.fullmatch("[0-9]+", token):
            return int(token)
        if re.fullmatch("[a-z]+", token) and token not in KEYWORDS:
            return token
        raise Bad


def parse(lines, inside):
    block = []
    while lines:
        line = lines.pop(0)
        word = re.match(r"[a-z]*", line)[0]
        rest = line[len(word):]
        if word == "end":
            if rest.strip() or not inside:
                raise Bad
            return block
        if word == "print":
            block.append((word, Parser(rest).whole()))
        elif word in ("while", "if"):
            condition = Parser(rest).whole()
            block.append((word, condition, parse(lines, True)))
        elif word and rest.strip().startswith("="):
            block.append(("set", word, Parser(rest.strip()[1:]).whole()))
        else:
            raise Bad
    if inside:
        raise Bad
    return block


variables = {}


def value(node):
    if isinstance(node, int):
        return node
    if isinstance(node, str):
        if node not in variables:
            raise Stop
        return variables[node]
    sign, left, right = node[0], value(node[1]), value(node[2])
    if sign in "/%" and right == 0:
        raise Stop
    return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right, "/": lambda: left // right, "%": lambda: left % right, "<": lambda: int(left < right), "=": lambda: int(left == right)}[sign]()


def run(block):
    for kind, *parts in block:
        if kind == "print":
            print(value(parts[0]))
        elif kind == "set":
            variables[parts[0]] = value(parts[1])
        elif kind == "if":
            if value(parts[0]):
                run(parts[1])
        else:
            while value(parts[0]):
                run(parts[1])


try:
    lines = [line.strip() for line in sys.stdin.read().split("\n")]
    program = parse([line for line in lines if line and not line.startswith("#")], False)
except Bad:
    sys.exit(2)
try:
    run(program)
except Stop:
    sys.exit(3)
END
