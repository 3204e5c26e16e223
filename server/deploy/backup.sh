#!/bin/sh
# Backs up the log and the tokens of a gym, which may be running, and removes backups older than two weeks.
#   backup.sh DATA_DIR BACKUP_DIR
set -eu
data="$1" backups="$2" day="$(date +%F-%H%M%S)" keep_days=14
cd "$(dirname "$0")/../.."
mkdir -p "$backups"
node dist/server/cli.js --data-dir "$data" log backup "$backups/episodes-$day.db"
if [ -f "$data/tokens.json" ]; then cp -p "$data/tokens.json" "$backups/tokens-$day.json"; fi
# Old backups are removed only after a new backup has succeeded.
find "$backups" -name '*-????-??-??-??????.*' -mtime +$keep_days -delete
