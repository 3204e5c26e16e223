"""Writes the databases and tasks of test/fixtures/tau2/data: records of our own in tau2-bench's file formats.

    python test/peers/tau2-data.py

The policies and guidelines beside them are written by hand.
"""

import json
from pathlib import Path

import tau2_databases
import tau2_tasks

DOMAINS = Path(__file__).parents[1] / "fixtures" / "tau2" / "data" / "tau2" / "domains"


def write(domain, name, value):
    (DOMAINS / domain).mkdir(parents=True, exist_ok=True)
    (DOMAINS / domain / name).write_text(json.dumps(value, ensure_ascii=False) + "\n", "utf8")


for domain in ("airline", "retail", "mock"):
    tasks = getattr(tau2_tasks, domain)()
    write(domain, "db.json", getattr(tau2_databases, domain)())
    write(domain, "tasks.json", tasks)
    write(domain, "split_tasks.json", tau2_tasks.splits(tasks, domain != "mock"))
write("mock", "user_db.json", tau2_databases.mock_user())
