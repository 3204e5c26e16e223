import sys

sys.path.insert(0, "/tests")
from grader import Grader
import csv
import io

EXPECTED = [["email", "name", "since"], ["ada.byron@example.org", "Ada Byron", "2023"], ["alan.turing@example.org", "Alan Turing", "2015"], ["barbara.liskov@example.org", "Barbara Liskov", "2016"], ["donald.knuth@example.org", "Donald Knuth", "2017"], ["edsger.dijkstra@example.org", "Edsger Dijkstra", "2016"], ["frances.allen@example.org", "", "2022"], ["grace.hopper@example.org", "Grace Hopper", "2016"], ["ken.thompson@example.org", "Ken Thompson", "2015"], ["radia.perlman@example.org", "", "2018"], ["tony.hoare@example.org", "Tony Hoare", "2016"]]

grader = Grader()
text = grader.text("/app/clean.csv")
rows = [row for row in csv.reader(io.StringIO(text or "")) if row]
grader.check("clean.csv has one row for each person", rows == EXPECTED)
grader.finish()
