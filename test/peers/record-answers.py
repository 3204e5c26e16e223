"""Records answers in the forms that people and models write, and whether each says what is expected.

    python3 -m venv VENV && VENV/bin/pip install math-verify==0.9.0
    VENV/bin/python test/peers/record-answers.py > test/fixtures/arithmetic/answers.jsonl

`equal` is the truth by exact arithmetic: each answer is written from Fractions, and two answers are equal where their
Fractions are. `mathVerify` is what math-verify says of the same two texts, null where it reads one of them not at all.
"""

import json
import random
from fractions import Fraction

from math_verify import parse, verify

rng = random.Random(20240613)


def grouped(number):
    return f"{number:,}"


def decimal(value, zeros=0):
    bottom = value.denominator
    places = 0
    while (10**places) % bottom:
        places += 1
        if places > 12:
            return None
    digits = str(abs(value.numerator) * 10**places // bottom).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    if zeros:
        text = (text if places else text + ".") + "0" * zeros
    return ("-" if value < 0 else "") + text


def mixed(value):
    whole, rest = divmod(abs(value.numerator), value.denominator)
    sign = "-" if value < 0 else ""
    return (sign, whole, Fraction(rest, value.denominator))


def number_forms(value):
    top, bottom = value.numerator, value.denominator
    sign = "-" if top < 0 else ""
    size = abs(top)
    times = rng.choice([2, 3, 5])
    forms = [
        f"{top}/{bottom}",
        f"{top * times}/{bottom * times}",
        f"{sign}\\frac{{{size}}}{{{bottom}}}",
        f"\\dfrac{{{top}}}{{{bottom}}}",
        f"{sign}\\tfrac{{{size}}}{{{bottom}}}",
    ]
    if bottom == 1:
        forms += [str(top)] * 4 + [grouped(top)] * 2 + [f"{top}.", f"{top}.0", grouped(top).replace(",", "{,}")]
    if decimal(value) is not None:
        forms += [decimal(value)] * 3 + [decimal(value, 2), f"{decimal(value * 100)}%", f"{decimal(value * 100)}\\%"]
        if 0 < abs(value) < 1:
            forms += [decimal(value).replace("0.", ".", 1)]
        forms += [f"{decimal(value / 1000)} \\times 10^3" if decimal(value / 1000) else decimal(value)]
    if bottom > 1 and size > bottom:
        minus, whole, rest = mixed(value)
        forms += [f"{minus}{whole} {rest}", f"{minus}{whole}\\frac{{{rest.numerator}}}{{{rest.denominator}}}"]
    return forms


def number(value):
    return rng.choice(number_forms(value))


def written(answer):
    kind, value = answer
    if kind == "number":
        return number(value)
    items = [number(each) for each in value]
    if kind == "list":
        rng.shuffle(items)
        return rng.choice([", ".join(items), " and ".join(items), " or ".join(items), "; ".join(items)])
    if kind == "set":
        rng.shuffle(items)
        return rng.choice(["\\{", "\\left\\{ "]) + ", ".join(items) + "\\}"
    if kind == "tuple":
        return f"({', '.join(items)})"
    return f"{kind}{', '.join(items)}{']' if kind == '[' else ')'}"


def wrapped(text, kind):
    name = rng.choice("xnk")
    choices = [text] * 4 + [
        f"\\boxed{{{text}}}",
        f"After some work we get $\\boxed{{{text}}}$.",
        f"First 17, then 23.\n#### {text}",
        f"Let me think about 12 and 5.\nThe answer is {text}.",
        f"**Answer:** {text}",
        f"${text}$",
        f"\\({text}\\)",
    ]
    if kind == "number":
        choices += [f"{name} = {text}", f"\\boxed{{{name}={text}}}"]
    return rng.choice(choices)


def value():
    kind = rng.random()
    if kind < 0.4:
        return Fraction(rng.choice([rng.randint(-20, 120), rng.randint(1000, 2_000_000)]))
    if kind < 0.7:
        return Fraction(rng.randint(-3000, 3000), rng.choice([2, 4, 5, 8, 10, 20, 25, 100, 1000]))
    return Fraction(rng.randint(-200, 200), rng.randint(2, 30))


def other(number):
    changes = [number + 1, -number, number / 10, number * 10, number + Fraction(1, 1000), number * 2]
    if number:
        changes.append(1 / number)
    # A percent sign also counts as a unit, so a factor of 100 is no clear difference.
    return rng.choice([each for each in changes if each not in (number, number * 100, number / 100)])


def different(answer):
    kind, value = answer
    if kind == "number":
        return (kind, other(value))
    change = rng.random()
    if kind in ("(", "[") and change < 0.3:
        return ("[" if kind == "(" else "(", value)
    if kind == "tuple" and change < 0.3 and value[0] != value[1]:
        return (kind, value[::-1])
    if change < 0.6 and len(value) > 2:
        return (kind, value[:-1])
    at = rng.randrange(len(value))
    return (kind, [other(each) if place == at else each for place, each in enumerate(value)])


def answer():
    kind = rng.choice(["number"] * 6 + ["list", "set", "tuple", "(", "["])
    if kind == "number":
        return (kind, value())
    if kind in ("(", "["):
        low = value()
        return (kind, [low, low + abs(value()) + 1])
    values = []
    while len(values) < rng.randint(2, 4):
        each = value()
        if all(each not in (seen, seen * 100, seen / 100) for seen in values):
            values.append(each)
    return (kind, values)


def same(left, right):
    if left[0] in ("list", "set"):
        return left[0] == right[0] and sorted(left[1]) == sorted(right[1])
    return left == right


def by_math_verify(expected, given):
    gold, target = parse(f"${expected}$"), parse(given if "oxed" in given or "nswer" in given else f"${given}$")
    return bool(verify(gold, target)) if gold and target else None


for _ in range(1000):
    expected = answer()
    given = expected if rng.random() < 0.5 else different(expected)
    texts = [written(expected), wrapped(written(given), given[0])]
    line = {"expected": texts[0], "given": texts[1], "equal": same(expected, given)}
    print(json.dumps({**line, "mathVerify": by_math_verify(*texts)}))
