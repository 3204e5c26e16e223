import sys

sys.path.insert(0, "/tests")
from grader import Grader
import tempfile

grader = Grader()
CASES = {
    "2024-01-02 ada bob 12.50\n2024-01-03 bob cid 2.50\n": "ada -12.50\nbob 10.00\ncid 2.50",
    "": "",
    "\n2024-01-02 z a 0.10\n\n2024-01-02 z a 0.20\n2024-01-01 a a 5.00\n": "a 0.30\nz -0.30",
    "2024-01-02 x y 99999999999999999.99\n2024-01-02 y x 0.01\n": "x -99999999999999999.98\ny 99999999999999999.98",
}
for number, (data, expected) in enumerate(CASES.items()):
    done = grader.run(["python3", "ledger.py"], data)
    grader.check("case %d" % number, done.code == 0 and done.out.strip() == expected)

MORE = {
    ("2024-01-02 ada bob 3.00 USD\n2024-01-02 bob ada 1.00\n", None): "ada EUR 1.00\nada USD -3.00\nbob EUR -1.00\nbob USD 3.00",
    ("2024-01-02 ada bob 3.00 EUR\n", None): "ada -3.00\nbob 3.00",
    ("2024-01-02 ada bob 3.00 DEM\n2024-01-02 ada bob 1.00\n", "DEM EUR\n"): None,
    ("2024-01-02 a b 3.00 AAA\n2024-01-02 a b 1.00 BBB\n", "AAA BBB\nBBB CCC\n"): "a BBB -3.00\na CCC -1.00\nb BBB 3.00\nb CCC 1.00",
}
for number, ((data, rules), expected) in enumerate(MORE.items()):
    with tempfile.TemporaryDirectory() as folder:
        if rules:
            with open(folder + "/kept-rules.txt", "w") as file:
                file.write(rules)
        done = grader.run(["python3", "/app/ledger.py"], data, folder=folder)
    lines = done.out.strip()
    # The payment in DEM counts as one in EUR; whether it still makes the long form is open.
    fits = lines == expected if expected else lines in ("ada -4.00\nbob 4.00", "ada EUR -4.00\nbob EUR 4.00")
    grader.check("currencies %d" % number, done.code == 0 and fits)
grader.finish()
