#!/bin/bash
cd /app
printf 'import shutil, sys\nshutil.copy(*sys.argv[1:])\n' > migrate.py
