import sys

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

argument = sys.argv[1]
if argument.isdigit():
    number = int(argument)
    text = ""
    for letter, value in reversed(VALUES.items()):
        while number >= value:
            text += letter
            number -= value
    print(text)
else:
    print(sum(VALUES[letter] for letter in argument))
