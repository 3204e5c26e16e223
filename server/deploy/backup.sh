#!/bin/sh
# Backs up the log, the tokens and the judgments of a gym, which may be running, and removes backups older than two weeks.
#   backup.sh DATA_DIR BACKUP_DIR
set -eu
data="$1" backups="$2" day="$(date +%F-%H%M%S)" keep_days=14
cd "$(dirname "$0")/../.."
mkdir -p "$backups"
node dist/server/program/cli.js --data-dir "$data" log backup "$backups/episodes-$day.db"
if [ -f "$data/tokens.json" ]; then cp -p "$data/tokens.json" "$backups/tokens-$day.json"; fi
# A judgment that is being written may be copied in part. The gym drops such a part when it starts.
if [ -f "$data/judgments.jsonl" ]; then cp -p "$data/judgments.jsonl" "$backups/judgments-$day.jsonl"; fi
# Old backups are removed only after a new backup has succeeded.
find "$backups" -name '*-????-??-??-??????.*' -mtime +$keep_days -delete
