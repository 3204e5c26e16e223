import sys

sys.path.insert(0, "/tests")
from grader import Grader
import json
import os
import tempfile

CASES = json.loads("[[{\"a\": {\"b\": 1}}, [[\"1.json\", {\"a\": {\"b\": null, \"c\": {\"d\": null, \"e\": 2}}}], [\"2.json\", {\"a\": 5}], [\"3.json\", {\"a\": {\"z\": [null, {}]}, \"n\": 0}]], {\"a\": {\"z\": [null, {}]}, \"n\": 0}], [{}, [[\"x.json\", {\"k\": {\"l\": null}}]], {\"k\": {}}], [{\"q\": 1}, [], {\"q\": 1}], [{\"server\": {\"port\": 8080, \"hosts\": [\"a\", \"b\"], \"tls\": {\"on\": false, \"versions\": [\"1.2\"]}}, \"log\": {\"level\": \"info\", \"file\": \"/var/log/app.log\"}, \"features\": {\"search\": true, \"beta\": false}, \"limit\": 10}, [[\"10-site.json\", {\"server\": {\"port\": 9090, \"tls\": {\"on\": true}}, \"log\": {\"file\": null}}], [\"20-host.json\", {\"server\": {\"hosts\": [\"c\"]}, \"features\": {\"beta\": true, \"extra\": {\"x\": 1}}, \"limit\": null}], [\"30-last.json\", {\"features\": {\"extra\": {\"y\": [1, 2]}}, \"log\": {\"level\": \"debug\"}, \"limit\": 3}]], {\"server\": {\"port\": 9090, \"hosts\": [\"c\"], \"tls\": {\"on\": true, \"versions\": [\"1.2\"]}}, \"log\": {\"level\": \"debug\"}, \"features\": {\"search\": true, \"beta\": true, \"extra\": {\"x\": 1, \"y\": [1, 2]}}, \"limit\": 3}]]")

grader = Grader()
for number, (base, layers, result) in enumerate(CASES):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/layers")
        for name, layer in [("base.json", base)] + [("layers/" + name, layer) for name, layer in layers]:
            with open(os.path.join(folder, name), "w") as file:
                json.dump(layer, file)
        if not layers:
            os.rmdir(folder + "/layers")
        done = grader.run(["python3", "merge.py", folder])
        try:
            received = json.loads(done.out)
        except ValueError:
            received = "no JSON"
        grader.check("case %d" % number, done.code == 0 and received == result)
grader.finish()
