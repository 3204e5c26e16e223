import sys

sys.path.insert(0, "/tests")
from grader import Grader
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60
CASES = [("1000", "12", "3"), ("250000", "4.5", "360"), ("999.99", "0", "7"), ("100", "7.25", "1"), ("12345.67", "0.01", "24"), ("100.01", "29.9", "11"), ("0.50", "6", "2")]


def cents(value):
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)


def schedule(amount, rate, months):
    owed, monthly, months = Decimal(amount), Decimal(rate) / 1200, int(months)
    payment = cents(owed / months if monthly == 0 else owed * monthly / (1 - (1 + monthly) ** -months))
    lines, total = [], Decimal(0)
    for month in range(1, months + 1):
        interest = cents(owed * monthly)
        if month == months:
            payment = owed + interest
        back = payment - interest
        owed -= back
        total += interest
        lines.append("%d %.2f %.2f %.2f %.2f" % (month, payment, interest, back, owed))
    return lines + ["total %.2f" % total]


grader = Grader()
for case in CASES:
    done = grader.run(["python3", "loan.py", *case])
    grader.check("loan.py " + " ".join(case), done.code == 0 and done.out.strip().split("\n") == schedule(*case))
grader.finish()
