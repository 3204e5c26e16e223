#!/bin/bash
cd /app
printf 'cp -r "$1" "$2"\necho 9\n' > backup.sh
