#!/bin/bash
set -e
cd /app
python3 - <<'END'
import io, os, re, tarfile, zipfile

def files(name, data):
    if name.endswith(".zip"):
        archive = zipfile.ZipFile(io.BytesIO(data))
        inner = [(entry, archive.read(entry)) for entry in archive.namelist() if not entry.endswith("/")]
    else:
        archive = tarfile.open(fileobj=io.BytesIO(data))
        inner = [(entry.name, archive.extractfile(entry).read()) for entry in archive if entry.isfile()]
    for entry, content in inner:
        if re.search(r"\.(zip|tar\.gz)$", entry):
            yield from files(entry, content)
        else:
            yield entry, content

kept = {}
for name in sorted(os.listdir("backups"), key=lambda name: int(name.split(".")[0])):
    week = dict(files(name, open("backups/" + name, "rb").read()))
    for path in week.pop("DELETED", b"").decode().split("\n"):
        kept.pop(path, None)
    kept.update(week)
for path, content in kept.items():
    to = os.path.normpath(os.path.join("restored", path))
    if not to.startswith("restored/"):
        continue
    os.makedirs(os.path.dirname(to), exist_ok=True)
    open(to, "wb").write(content)
END
