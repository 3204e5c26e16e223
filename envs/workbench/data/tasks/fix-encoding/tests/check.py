import sys

sys.path.insert(0, "/tests")
from grader import Grader
EXPECTED = {"menu/etape.txt": "Cr\u00e8me br\u00fbl\u00e9e\nouf? non: oeuf\nP\u00e2t\u00e9\n", "notes/one.txt": "\u00dcbergr\u00f6\u00dfe und Stra\u00dfe\n\u00f1and\u00fa\n", "notes/two.txt": "plain ASCII\nsecond line\n", "notes/deep/three.txt": "caf\u00e9 \u00a35\n", "notes/four.txt": "d\u00e9j\u00e0 vu \u2713\nlast line", "menu/five.txt": "gr\u00f6\u00dfer\n"}
BINARY = bytes(range(256)) * 4

def content(path):
    try:
        with open("/app/" + path, "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return None

grader = Grader()
for path, text in EXPECTED.items():
    grader.check(path, content(path) == text.encode())
grader.check("menu/picture.bin is unchanged", content("menu/picture.bin") == BINARY)
grader.finish()
