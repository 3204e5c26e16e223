#!/bin/bash
set -e
cd /app
python3 - <<'END'
import csv
people = {}
for row in csv.DictReader(open("contacts.csv")):
    key = row["email"].strip().lower()
    name, since = people.get(key, ("", 9999))
    people[key] = (name or row["name"], min(since, int(row["since"])))
with open("clean.csv", "w", newline="") as file:
    out = csv.writer(file)
    out.writerow(["email", "name", "since"])
    for key in sorted(people):
        out.writerow([key, *people[key]])
END
