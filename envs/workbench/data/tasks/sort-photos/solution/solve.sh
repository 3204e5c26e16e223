#!/bin/bash
set -e
cd /app
for file in inbox/*_????????_*.jpg; do
  name=$(basename "$file")
  [[ $name =~ ^[A-Za-z]+_([0-9]{4})([0-9]{2})[0-9]{2}_[0-9]+\.jpg$ ]] || continue
  folder=photos/${BASH_REMATCH[1]}/${BASH_REMATCH[2]}
  mkdir -p "$folder"
  mv "$file" "$folder/"
done
