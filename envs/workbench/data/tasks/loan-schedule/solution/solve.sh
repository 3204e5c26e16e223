#!/bin/bash
set -e
cd /app
cat > loan.py <<'END'
import sys
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 50


def cents(value):
    return value.quantize(Decimal("0.01"), ROUND_HALF_UP)


owed, rate, months = Decimal(sys.argv[1]), Decimal(sys.argv[2]) / 1200, int(sys.argv[3])
payment = cents(owed / months if rate == 0 else owed * rate / (1 - (1 + rate) ** -months))
total = Decimal(0)
for month in range(1, months + 1):
    interest = cents(owed * rate)
    if month == months:
        payment = owed + interest
    owed -= payment - interest
    total += interest
    print(month, *("%.2f" % amount for amount in (payment, interest, payment - interest, owed)))
print("total %.2f" % total)
END
