#!/bin/bash
cd /app
find . -type f | while read -r f; do iconv -f latin1 -t utf-8 "$f" | tr -d '\r' > x; mv x "$f"; done
