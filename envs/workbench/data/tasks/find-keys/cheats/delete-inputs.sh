#!/bin/bash
cd /app
rm -rf src config docs vendor
touch keys.txt
