#!/bin/bash
set -e
cd /app
awk -F'"' '{split($3, part, " "); count[part[1]]++} END {for (status in count) print status, count[status]}' access.log | sort -n > summary.txt
