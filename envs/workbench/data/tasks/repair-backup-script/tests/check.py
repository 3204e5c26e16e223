import sys

sys.path.insert(0, "/tests")
from grader import Grader
import os
import tempfile

NAMES = ["a.txt", "two words.txt", "-n.md", "sub folder/it's.txt", 'sub folder/"q".md', "*/star*.txt", ".hidden/.dot.txt", "line\nfeed.txt", "deep/er/$HOME.md"]
OTHERS = ["b.log", "txt", "a.txt.bak", "sub folder/md", "c.TXT"]


def put(root, name, text, mode):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def tree(root):
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            kind = "link" if os.path.islink(path) else oct(os.stat(path).st_mode & 0o777) + open(path).read()
            found[os.path.relpath(path, root)] = kind
    return found


grader = Grader()
for number, (source, target) in enumerate([("from", "to"), ("from here", "to *there/new"), ("-from", "-to")]):
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(folder, source)
        for name in NAMES:
            put(root, name, "text of " + name, 0o640 if "sub" in name else 0o644)
        for name in OTHERS:
            put(root, name, "no", 0o644)
        os.symlink("a.txt", root + "/link.txt")
        os.symlink("/etc", root + "/etc.txt")
        script = "/app/backup.sh"
        done = grader.run(["bash", script, source, target], folder=folder)
        wanted = {name: ("0o640" if "sub" in name else "0o644") + "text of " + name for name in NAMES}
        grader.check("the files of case %d" % number, done.code == 0 and tree(os.path.join(folder, target)) == wanted)
        grader.check("the count of case %d" % number, done.out.strip() == str(len(NAMES)))
with tempfile.TemporaryDirectory() as folder:
    done = grader.run(["bash", "/app/backup.sh", folder + "/none", folder + "/to"], folder=folder)
    grader.check("no such folder", done.code == 2 and done.out == "")
grader.finish()
