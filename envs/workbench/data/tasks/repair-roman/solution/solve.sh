#!/bin/bash
set -e
cd /app
cat > roman.py <<'END'
import sys

PARTS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def roman(number):
    text = ""
    for value, letters in PARTS:
        while number >= value:
            text += letters
            number -= value
    return text


numerals = {roman(number): str(number) for number in range(1, 4000)}
numbers = {number: numeral for numeral, number in numerals.items()}
answer = numerals.get(sys.argv[1]) or numbers.get(sys.argv[1])
print(answer or "error")
sys.exit(0 if answer else 1)
END
