import sys

sys.path.insert(0, "/tests")
from grader import Grader
import os
import sqlite3
import tempfile

CASES = [
    [(1, "First", "Red, blue ,red", "01.02.2020", " Ann "), (2, None, None, "29.02.2024", None), (7, "It's", "", "31.12.1999", "bob"), (9, "x", ",, A b ,", "05.06.2021", "  ")],
    [],
    [(3, "", "ß,Ä,ä", "10.10.2010", "Zoe"), (4, "same", "q", "10.10.2010", "Zoe"), (5, "t", "q", "01.01.2001", "Abe")],
]
BAD = ["30.02.2020", "2020-01-01", "1.2.2020", "", None, "29.02.2023", "01.13.2020"]


def make(path, rows):
    base = sqlite3.connect(path)
    base.execute("create table notes(id integer primary key, title text, tags text, created text, author text)")
    base.executemany("insert into notes values (?, ?, ?, ?, ?)", rows)
    base.commit()
    base.close()


def expected(rows):
    author = lambda name: (name or "").strip() or "unknown"
    names = sorted({author(row[4]) for row in rows})
    ids = {name: number for number, name in enumerate(names, 1)}
    notes = [(i, title or "", "-".join(reversed(created.split("."))), ids[author(name)]) for i, title, _, created, name in rows]
    tags = {(row[0], tag.strip().lower()) for row in rows for tag in (row[2] or "").split(",") if tag.strip()}
    return [(number, name) for name, number in ids.items()], notes, sorted(tags)


def found(path):
    try:
        base = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        tables = sorted(name for (name,) in base.execute("select name from sqlite_master where type = 'table'"))
        queries = ("select id, name from authors order by id", "select id, title, created, author_id from notes order by id", "select note_id, tag from tags order by note_id, tag")
        rows = [base.execute(query).fetchall() for query in queries]
        unique = base.execute("select count(*) from pragma_index_list('authors') where \"unique\" = 1").fetchone()[0]
        return tables, (rows[0], rows[1], sorted(rows[2])), unique
    except sqlite3.Error as error:
        return str(error), None, 0


grader = Grader()
for number, rows in enumerate(CASES):
    with tempfile.TemporaryDirectory() as folder:
        make(folder + "/old.db", rows)
        before = open(folder + "/old.db", "rb").read()
        done = grader.run(["python3", "migrate.py", folder + "/old.db", folder + "/new.db"])
        tables, content, unique = found(folder + "/new.db")
        grader.check("the tables of case %d" % number, done.code == 0 and tables == ["authors", "notes", "tags"] and unique >= 1)
        grader.check("the rows of case %d" % number, content == expected(rows))
        grader.check("the old database of case %d" % number, open(folder + "/old.db", "rb").read() == before)
for created in BAD:
    with tempfile.TemporaryDirectory() as folder:
        make(folder + "/old.db", [(1, "a", "b", "01.01.2001", "c"), (2, "a", "b", created, "c")])
        done = grader.run(["python3", "migrate.py", folder + "/old.db", folder + "/new.db"])
        grader.check("the date %r" % created, done.code == 4 and not os.path.exists(folder + "/new.db"))
grader.finish()
