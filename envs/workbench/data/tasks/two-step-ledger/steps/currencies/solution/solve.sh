#!/bin/bash
set -e
cd /app
test -f kept-rules.txt
cat > ledger.py <<'END'
import os
import sys
from decimal import Decimal, getcontext

getcontext().prec = 100
rules = {}
if os.path.exists("kept-rules.txt"):
    rules = dict(line.split() for line in open("kept-rules.txt") if line.strip())
balances = {}
for line in sys.stdin:
    if line.strip():
        _, payer, receiver, amount, *currency = line.split()
        given = currency[0] if currency else "EUR"
        kept = rules.get(given, given)
        for name, change in ((payer, -Decimal(amount)), (receiver, Decimal(amount))):
            balances[name, kept] = balances.get((name, kept), 0) + change
is_long = any(currency != "EUR" for _, currency in balances)
for (name, currency), balance in sorted(balances.items()):
    print(name, *([currency] if is_long else []), format(balance, ".2f"))
END
