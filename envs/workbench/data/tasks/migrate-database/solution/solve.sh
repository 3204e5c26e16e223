#!/bin/bash
set -e
cd /app
cat > migrate.py <<'END'
import datetime
import re
import sqlite3
import sys

old, new = sys.argv[1:]
rows = sqlite3.connect("file:%s?mode=ro" % old, uri=True).execute("select id, title, tags, created, author from notes").fetchall()


def day(text):
    match = re.fullmatch(r"([0-9]{2})\.([0-9]{2})\.([0-9]{4})", text or "")
    try:
        return datetime.date(*(int(part) for part in reversed(match.groups()))).isoformat()
    except (AttributeError, ValueError):
        sys.exit(4)


def author(name):
    return (name or "").strip() or "unknown"


days = [day(row[3]) for row in rows]
ids = {name: number for number, name in enumerate(sorted({author(row[4]) for row in rows}), 1)}
base = sqlite3.connect(new)
base.executescript("""
create table authors(id integer primary key, name text not null unique);
create table notes(id integer primary key, title text not null, created text not null, author_id integer not null references authors(id));
create table tags(note_id integer not null references notes(id), tag text not null, primary key (note_id, tag));
""")
base.executemany("insert into authors values (?, ?)", [(number, name) for name, number in ids.items()])
for row, created in zip(rows, days):
    base.execute("insert into notes values (?, ?, ?, ?)", (row[0], row[1] or "", created, ids[author(row[4])]))
    for tag in {tag.strip().lower() for tag in (row[2] or "").split(",") if tag.strip()}:
        base.execute("insert into tags values (?, ?)", (row[0], tag))
base.commit()
END
