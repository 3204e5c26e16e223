#!/bin/bash
cd /app
rm -rf inbox photos
mkdir inbox photos
