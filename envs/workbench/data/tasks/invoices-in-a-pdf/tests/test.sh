#!/bin/bash
exec python3 -I /tests/check.py
