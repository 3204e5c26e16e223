"""Records pairs of an expected and a given answer in many forms, the truth about each pair, and math-verify's verdict.

    python3 -m venv VENV && VENV/bin/pip install math-verify==0.9.0
    VENV/bin/python test/peers/record-forms.py test/fixtures/arithmetic/forms.jsonl.gz

Each line is `[form, expected, given, equal, mathVerify]`. The truth `equal` is known by construction: both texts are
written from the same value, or one of them from a changed value. `mathVerify` is null if math-verify reads no answer in
one of the texts.
"""

import gzip
import json
import random
import sys
from fractions import Fraction

from math_verify import parse, verify

COUNT = 5000
rng = random.Random(20260301)
low = lambda: rng.randint(-20, 19)
small = lambda: rng.randint(2, 30)
one = lambda *texts: rng.choice(texts)


def decimal(value, places=6):
    text = f"{float(value):.{places}f}".rstrip("0").rstrip(".")
    return text


def percent():
    number = rng.choice([1, 2, 5, 12, 25, 40, 75, 99, 100, 150, 200]) * one(1, 1, Fraction(1, 2))
    text = decimal(number)
    sign = one("%", "\\%")
    right = [decimal(number / Fraction(100)), f"{text}\\%", f"{text} %", f"{text} percent", f"\\frac{{{Fraction(number) * 2}}}{{200}}"]
    wrong = [text, f"{text} cm", f"{text} apples", f"{decimal(number * 10)}%", decimal(number / Fraction(1000)), f"{decimal(number + 1)}\\%"]
    return text + sign, right, wrong


def plain_for_percent():
    number = rng.randint(2, 99)
    return str(number), [f"{number * 100}\\%"], [f"{number}%", f"{number}\\%", f"{number} percent"]


def denial():
    number = small()
    x = one("x", "n", "y")
    wrong = [
        f"{number} is not the answer",
        f"{number} is wrong",
        f"{x}={number} is false",
        f"{number} is incorrect",
        f"not {number}",
        f"{number} isn't right",
        f"{x} \\ne {number}",
        f"{number} or {number + 1}",
    ]
    return str(number), [f"{number} is the answer", f"{x}={number}", f"{number} is correct"], wrong


def scale_word():
    number = small()
    word, factor = rng.choice([("thousand", 10**3), ("million", 10**6), ("billion", 10**9)])
    if rng.random() < 0.5:
        return str(number), [str(number)], [f"{number} {word}"]
    return str(number * factor), [f"{number} {word}", f"{number * factor:,}"], [f"{number + 1} {word}", str(number)]


def ends():
    a = low()
    return a, a + rng.randint(1, 12)


def union():
    a, b = ends()
    cup = one("\\cup", " \\cup ", " ∪ ")
    gap = one("", " ")
    left, right = f"(-\\infty,{gap}{a}{one(')', ']')}", f"{one('(', '[')}{b},{gap}\\infty)"
    flip = lambda text: text.translate(str.maketrans("()[]", "[]()"))
    inner = left[:-1] + flip(left[-1])
    equal = [f"{right}\\cup{left}", f"{left} \\cup {right}", f"{right} ∪ {left}", f"{left} \\cup {right}".replace("(-", "\\left(-").replace("\\infty)", "\\infty\\right)")]
    strict = "<" if left[-1] == ")" else "\\le"
    above = ">" if right[0] == "(" else one("\\ge", "\\geq")
    equal.append(f"x {strict} {a} \\text{{ or }} x {above} {b}")
    wrong = [f"{inner}\\cup{right}", left, f"{left}\\cup{right.replace(str(b), str(b + 1), 1)}", f"x {strict} {a} \\text{{ and }} x > {b}"]
    return f"{left}{cup}{right}", equal, wrong


def half_line():
    a = low()
    x = one("x", "x", "t")
    sign, turned, interval = rng.choice(
        [
            (">", "<", f"({a},\\infty)"),
            ("\\ge", "\\le", f"[{a}, \\infty)"),
            ("<", ">", f"(-\\infty,{a})"),
            ("\\leq", "\\geq", f"(-\\infty, {a}]"),
        ]
    )
    other = {"\\ge": "≥", "\\leq": "≤", ">": "\\gt", "<": "\\lt"}[sign]
    texts = [f"{x}{sign} {a}", f"{a}{turned} {x}", f"{x} {other} {a}", interval]
    swapped = interval.translate(str.maketrans("[]", "()")) if "[" in interval or "]" in interval else interval.replace(f"({a}", f"[{a}").replace(f"{a})", f"{a}]")
    wrong = [f"{x}{turned} {a}", f"{x}{sign} {a + 1}", swapped, f"{a}", f"{x}={a}", f"({a},{a + 1})", f"[{a}, 99)"]
    return rng.choice(texts), texts, wrong


def chain():
    a, b = ends()
    first, second = one("<", "\\le"), one("<", "\\le")
    interval = f"{'(' if first == '<' else '['}{a},{b}{')' if second == '<' else ']'}"
    turned = {"<": ">", "\\le": "\\ge"}
    texts = [f"{a}{first} x{second} {b}", f"{b} {turned[second]} x {turned[first]} {a}", interval]
    texts.append(f"x {turned[first]} {a} \\text{{ and }} x {second} {b}")
    texts.append(f"x \\in {interval}")
    other = {"<": "\\le", "\\le": "<"}
    wrong = [
        f"{a}{other[first]} x{second} {b}",
        f"{a - 1}{first} x{second} {b}",
        f"{b}{first} x{second} {b + 1}",
        f"x{second} {b}",
        f"x{turned[second]} {b} \\text{{ or }} x{first} {a}",
        f"\\{{{a},{b}\\}}",
    ]
    return one(texts[0], interval), texts, wrong


def not_equal():
    a = low()
    texts = [f"x \\ne {a}", f"x \\neq {a}", f"x ≠ {a}", f"(-\\infty,{a})\\cup({a},\\infty)", f"\\mathbb{{R}}\\setminus\\{{{a}\\}}"]
    return rng.choice(texts), texts, [f"x = {a}", f"x \\ne {a + 1}", f"{a}", f"x > {a}", "\\mathbb{R}", f"(-\\infty,{a}]\\cup({a},\\infty)"]


def repeating():
    before, cycle = one("", "", str(rng.randint(1, 9))), one("3", "6", "27", "142857", "09", str(rng.randint(10, 98)))
    whole = one(0, 0, rng.randint(1, 9))
    bottom = 10 ** len(before) * (10 ** len(cycle) - 1)
    value = whole + Fraction(int(before + cycle) - int(before or 0), bottom)
    text = f"{whole}.{before}\\overline{{{cycle}}}"
    equal = [f"{whole}.{before}\\bar{{{cycle}}}", f"{value.numerator}/{value.denominator}", f"\\frac{{{value.numerator}}}{{{value.denominator}}}", text, f"{whole}.{before}({cycle})"]
    wrong = [f"{whole}.{before}{cycle[:2]}", f"{value.numerator + 1}/{value.denominator}", f"{whole}.{before}1\\overline{{{cycle}}}", f"{whole}.{before}\\overline{{{(int(cycle[0]) + 1) % 10}{cycle[1:]}}}"]
    return one(text, equal[1]), equal, [text for text in wrong if text not in equal]


def in_base(number, base):
    digits = ""
    while number:
        digits = "0123456789ABCDEF"[number % base] + digits
        number //= base
    return digits


def base():
    number, of = rng.randint(40, 5000), rng.choice([2, 3, 5, 7, 8, 9, 16])
    digits = in_base(number, of)
    equal = [f"{digits}_{{{of}}}", f"{digits}_{of}" if of < 10 else f"{digits}_{{{of}}}", f"({digits})_{{{of}}}", f"{digits} \\text{{ base }} {of}"]
    other = 9 if of != 9 else 8
    wrong = [f"{in_base(number + 1, of)}_{{{of}}}", f"{in_base(number, other)}_{{{of + 1}}}", f"{digits}_{{{12 if of != 16 else 17}}}", digits + "0"]
    return one(*equal[:2]), equal, wrong


def empty_set():
    texts = ["\\emptyset", "\\varnothing", "\\{\\}", "∅"]
    return one(*texts), texts + ["{}"], ["0", "\\{0\\}", "\\mathbb{R}", "x", "\\{\\emptyset, 1\\}", "(0,0)"]


def reals():
    texts = ["(-\\infty,\\infty)", "\\mathbb{R}", "x \\in \\mathbb{R}", "(-\\infty, \\infty)", "ℝ"]
    return one(*texts), texts, ["(0,\\infty)", "\\emptyset", "x>0", "[0,\\infty)", "\\infty", "(-\\infty,0)\\cup(0,\\infty)"]


def exponential():
    a = rng.randint(2, 9)
    pairs = [
        ("e^x", "\\exp(x)"),
        (f"e^{{{a}x}}", f"\\exp({a}x)"),
        (f"{a}e^x", f"{a}\\exp(x)"),
        (f"e^{{x+{a}}}", f"e^{{{a}}}e^x"),
        (f"\\ln(x^{{{a}}})" if a % 2 else f"{a}\\ln x", f"{a}\\ln(x)"),
        (f"{2**a}^x", f"2^{{{a}x}}"),
        (f"\\log_{{{a}}} x", f"\\frac{{\\ln x}}{{\\ln {a}}}"),
    ]
    expected, given = rng.choice(pairs)
    wrong = [f"e^{{{a + 1}x}}", f"{a + 1}\\exp(x)", f"\\exp(-{a}x)", f"\\ln(x)^{{{a}}}", f"{a}^x", "e"]
    return expected, [given, expected], wrong


def trigonometry():
    a, b = rng.randint(2, 9), rng.randint(2, 9)
    expected, given, wrong = rng.choice(
        [
            ("\\sin 2x", "2\\sin x\\cos x", "\\sin x\\cos x"),
            (f"{a}\\sin 2x", f"{2 * a}\\sin x\\cos x", f"{2 * a + 1}\\sin x\\cos x"),
            ("\\cos 2x", "\\cos^2 x-\\sin^2 x", "\\cos^2 x+\\sin^2 x"),
            (f"\\cos(2x)+{b}", f"2\\cos^2(x)+{b - 1}", f"2\\cos^2(x)+{b}"),
            ("\\cos 2x", "1-2\\sin^2 x", "1-\\sin^2 x"),
            (f"{a}\\tan x", f"\\frac{{{a}\\sin x}}{{\\cos x}}", f"\\frac{{{a}\\cos x}}{{\\sin x}}"),
            ("\\sin(x+y)", "\\sin x\\cos y+\\cos x\\sin y", "\\sin x\\cos y-\\cos x\\sin y"),
            (f"\\sin {a}x", f"\\sin({a}x)", f"{a}\\sin(x)"),
            (f"\\cos\\frac{{x}}{{{a}}}", f"\\cos(x/{a})", f"\\cos(x)/{a}"),
            (f"\\sin^2 {a}x", f"(\\sin({a}x))^2", f"\\sin(({a}x)^2)"),
        ]
    )
    return expected, [given, expected], [wrong, given.replace("x", f"{a}x", 1) + f"+{b}", f"{b}+{expected}"]


def signed(number, text):
    return f"{'+' if number >= 0 else '-'}{abs(number)}{text}"


def polynomial():
    p, q = rng.choice([-7, -5, -3, -2, -1, 1, 2, 4, 6]), rng.choice([-6, -4, -1, 1, 3, 5, 8])
    expanded = f"x^2{signed(p + q, 'x') if p + q else ''}{signed(p * q, '')}"
    factored = f"(x{signed(p, '')})(x{signed(q, '')})"
    other = f"(x{signed(q, '')})(x{signed(p, '')})"
    wrong = [f"x^2{signed(p + q + 1, 'x')}{signed(p * q, '')}", f"(x{signed(-p, '')})(x{signed(q, '')})", f"{expanded}+0.001", f"2{factored}", "x^2"]
    return one(expanded, factored), [expanded, factored, other, f"{signed(p * q, '').lstrip('+')}{signed(p + q, 'x') if p + q else ''}+x^2"], wrong


def domain():
    a = rng.randint(1, 9)
    expected, wrong = rng.choice(
        [
            (f"x+{a}", f"\\frac{{x^2-{a * a}}}{{x-{a}}}" if a < 6 else f"\\frac{{x^2+{a}x}}{{x}}"),
            ("x", "\\sqrt{x^2}"),
            ("2\\ln x", "\\ln(x^2)"),
            (f"x+{a}", f"x+{a}+\\frac{{0}}{{x}}"),
            (f"{a}x", f"{a}(\\sqrt{{x}})^2"),
            (f"\\frac{{1}}{{x+{a}}}", f"\\frac{{x}}{{x^2+{a}x}}"),
        ]
    )
    return expected, [expected, expected.replace("x", " x ")], [wrong]


UNITS = [("m", "cm", 100), ("km", "m", 1000), ("kg", "g", 1000), ("hours", "minutes", 60), ("L", "mL", 1000), ("feet", "inches", 12)]


def unit():
    big, fine, times = rng.choice(UNITS)
    number = small()
    mark = one("{} {}", "{} \\text{{ {}}}", "{}\\text{{ {}}}", "{}\\mathrm{{ {}}}")
    other = rng.choice([each for each in UNITS if each[0] != big and {each[0], big} != {"m", "km"} and {each[0], big} != {"m", "feet"} and {each[0], big} != {"km", "feet"}])[0]
    expected = mark.format(number, big)
    equal = [str(number), f"{number} {big}", f"{number * times} \\text{{ {fine}}}"]
    wrong = [str(number + 1), f"{number}\\text{{ {fine}}}", f"{number} \\text{{ {other}}}", f"{number}\\%", f"{number + 1} \\text{{ {big}}}"]
    return expected, equal, wrong


def compound():
    speed = 18 * rng.randint(1, 20)
    metres = speed * 5 // 18
    acceleration = decimal(Fraction(rng.randint(10, 99), 10))
    return rng.choice(
        [
            (f"{speed} km/h", [f"{metres} m/s", f"{speed}", f"{speed} \\text{{ km/h}}", f"{metres} \\text{{ m/s}}", f"{speed} kilometers per hour"], [f"{speed} m/s", f"{metres}", f"{metres} km/h", f"{speed} km"]),
            (f"{acceleration} m/s^2", [acceleration, f"{acceleration} \\text{{ m/s}}^2", f"{acceleration} m s^{{-2}}"], [f"{acceleration} m/s", f"{acceleration} kg", f"{acceleration} s^2"]),
            (f"{speed} \\text{{ miles per hour}}", [f"{speed} mph", str(speed)], [f"{speed} miles", f"{speed} km/h", f"{speed} hours"]),
            (f"{metres} \\text{{ cm}}^2", [f"{metres} cm^2", f"{metres}", f"{metres} square centimeters"], [f"{metres} cm", f"{metres} cm^3", f"{metres} m^2"]),
        ]
    )


def ratio():
    a, b = rng.choice([(3, 4), (2, 5), (1, 3), (7, 2), (5, 8), (9, 4)])
    k = rng.randint(2, 7)
    equal = [f"{a * k}:{b * k}", f"{a}:{b}", f"{a} : {b}"]
    wrong = [f"{b}:{a}", f"{a}:{b + 1}", f"{a * k}:{b}", f"{a}", f"({a},{b})", f"{a}:{b}:1"]
    if rng.random() < 0.3:
        return f"{a}:{b}:{k}", [f"{2 * a}:{2 * b}:{2 * k}", f"{a} : {b} : {k}"], [f"{a}:{b}", f"{a}:{k + 1}:{b}", f"{2 * a}:{b}:{k}"]
    return f"{a}:{b}", equal + [f"{a}/{b}"], wrong


def thousands():
    number = rng.randint(1000, 9_999_999)
    comma = f"{number:,}"
    equal = [comma, comma.replace(",", " "), comma.replace(",", "\\,"), comma.replace(",", "{,}"), str(number), f"{number}.0"]
    wrong = [str(number + 1), comma.replace(",", ".", 1) if number < 10**6 else str(number // 10), comma.replace(",", "", 1) + "0", f"{comma} {comma}", comma.split(",")[0]]
    return one(str(number), comma), equal, wrong


def scientific():
    digits, exponent = rng.randint(11, 99), rng.randint(2, 9)
    mantissa = decimal(Fraction(digits, 10))
    value = digits * 10 ** (exponent - 1)
    equal = [f"{mantissa} x 10^{exponent}", f"{mantissa} \\times 10^{{{exponent}}}", f"{mantissa} \\cdot 10^{exponent}", f"{mantissa}e{exponent}", str(value), f"{mantissa} × 10^{exponent}"]
    wrong = [f"{mantissa} x 10^{exponent + 1}", f"{mantissa}\\times 10^{{-{exponent}}}", mantissa, f"10^{exponent}", str(value + 1)]
    return one(str(value), equal[1]), equal, wrong


def finite_set():
    items = rng.sample(range(-9, 10), rng.randint(2, 4))
    again = items + [rng.choice(items)]
    rng.shuffle(again)
    join = lambda values: ",".join(str(value) for value in values)
    back = items[::-1]
    wrong = [f"\\{{{join(items[:-1])}\\}}", f"\\{{{join(items + [11])}\\}}", f"({join(items)})", f"\\{{{join([items[0] + 40] + items[1:])}\\}}"]
    return f"\\{{{join(items)}\\}}", [f"\\{{{join(again)}\\}}", f"\\{{{join(back)}\\}}", f"\\left\\{{{join(back)}\\right\\}}", join(back)], wrong


def answers_list():
    a, b = rng.sample(range(-9, 10), 2)
    equal = [f"{b}, {a}", f"x={a} \\text{{ or }} x={b}", f"{a} \\text{{ and }} {b}"]
    return f"{a}, {b}", equal, [f"{a}", f"{a}, {b}, {b + 20}", f"{a}, {b + 20}", f"{a} \\text{{ or }} {b + 20}"]


def fraction():
    value = Fraction(rng.randint(-90, 90) or 7, rng.randint(2, 25))
    top, bottom = value.numerator, value.denominator
    k = rng.randint(2, 6)
    sign = "-" if top < 0 else ""
    equal = [f"{top}/{bottom}", f"{sign}\\frac{{{abs(top)}}}{{{bottom}}}", f"\\dfrac{{{top * k}}}{{{bottom * k}}}"]
    whole, rest = divmod(abs(top), bottom)
    if whole and rest:
        equal += [f"{sign}{whole}\\frac{{{rest}}}{{{bottom}}}", f"{sign}{whole} {rest}/{bottom}"]
    wrong = [f"{-top}/{bottom}", f"{top + 1}/{bottom}", f"\\frac{{{bottom}}}{{{top}}}" if abs(top) != bottom else "9", decimal(value, 2) if (value * 100).denominator > 1 else str(top + bottom)]
    return one(*equal), equal, wrong


def tuples():
    items = [low() for _ in range(rng.choice([2, 3]))]
    if items[0] == items[1]:
        items[1] += 1
    text = ", ".join(map(str, items))
    back = ", ".join(map(str, [items[1], items[0]] + items[2:]))
    return f"({text})", [f"({text.replace(', ', ',')})", f"\\left({text}\\right)", f"({decimal(items[0])}.0, {', '.join(map(str, items[1:]))})"], [f"({back})", text.split(",")[0], f"({text}, 0)", f"\\{{{text}\\}}"]


def roots():
    a, b = rng.randint(2, 9), rng.choice([2, 3, 5, 6, 7])
    expected, equal, wrong = rng.choice(
        [
            (f"{a}\\sqrt{{{b}}}", [f"\\sqrt{{{a * a * b}}}", f"{a}\\cdot\\sqrt{{{b}}}"], f"{a}\\sqrt{{{b + 8}}}"),
            (f"\\frac{{\\sqrt{{{b}}}}}{{{b}}}", [f"\\frac{{1}}{{\\sqrt{{{b}}}}}"], f"\\sqrt{{{b}}}"),
            (f"{a}\\pi", [f"{a} \\pi", f"\\pi\\cdot {a}"], f"{a + 1}\\pi"),
            (f"\\frac{{{a}\\pi}}{{{b}}}", [f"\\frac{{{a}}}{{{b}}}\\pi"], f"\\frac{{{b}\\pi}}{{{a}}}" if a != b else "\\pi^2"),
            (f"x^{{1/3}}+{a}", [f"\\sqrt[3]{{x}}+{a}"], f"\\sqrt{{x}}+{a}"),
        ]
    )
    return expected, equal, [wrong, str(a), f"-{expected}"]


def relation():
    a, b = rng.randint(2, 9), rng.randint(1, 9)
    expected = f"y < {a}x+{b}"
    return expected, [f"{a}x+{b} > y", f"y \\lt {b}+{a}x"], [f"y > {a}x+{b}", f"y \\le {a}x+{b}", f"y = {a}x+{b}", f"y < {a}x-{b}", f"x < {a}y+{b}"]


FORMS = {
    each.__name__.replace("_", " "): each
    for each in [percent, plain_for_percent, denial, scale_word, union, half_line, chain, not_equal, repeating, base, empty_set, reals, exponential, trigonometry, polynomial, domain, unit, compound, ratio, thousands, scientific, finite_set, answers_list, fraction, tuples, roots, relation]
}


def by_math_verify(expected, given):
    words = given.replace("\\text", "").replace("\\mathrm", "")
    is_prose = any(word in words for word in [" is ", "isn't", "not "])
    gold, target = parse(f"${expected}$"), parse(given if is_prose else f"${given}$")
    return bool(verify(gold, target)) if gold and target else None


def main(path):
    pairs = {}
    # A form with few values, such as the empty set, gives fewer pairs than the others.
    for _ in range(40 * COUNT):
        form = rng.choice(list(FORMS))
        expected, equal, wrong = FORMS[form]()
        is_equal = rng.random() < 0.5
        pairs.setdefault((form, expected, rng.choice(equal if is_equal else wrong)), is_equal)
        if len(pairs) == COUNT:
            break
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        for (form, expected, given), is_equal in pairs.items():
            line = [form, expected, given, is_equal, by_math_verify(expected, given)]
            file.write((json.dumps(line, ensure_ascii=False) + "\n").encode())


main(sys.argv[1])
