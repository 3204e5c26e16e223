#!/bin/bash
cd /app
printf 'print("config\\ncore\\nlib\\napp\\ndocs")\n' > order.py
