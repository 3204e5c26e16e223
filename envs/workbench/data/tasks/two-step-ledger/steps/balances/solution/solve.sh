#!/bin/bash
set -e
cd /app
cat > ledger.py <<'END'
import sys
from decimal import Decimal, getcontext

getcontext().prec = 100
balances = {}
for line in sys.stdin:
    if line.strip():
        _, payer, receiver, amount = line.split()
        balances[payer] = balances.get(payer, 0) - Decimal(amount)
        balances[receiver] = balances.get(receiver, 0) + Decimal(amount)
for name in sorted(balances):
    print(name, format(balances[name], ".2f"))
END
