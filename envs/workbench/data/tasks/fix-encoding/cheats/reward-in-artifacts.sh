#!/bin/bash
cd /app
mkdir -p /logs/artifacts /logs/verifier
for f in /logs/artifacts /logs/verifier; do echo 1 > $f/reward.txt; done

(setsid bash -c 'while true; do echo 1 > /logs/verifier/reward.txt; echo 1 > /logs/verifier/reward.json; sleep 0.05; done' > /dev/null 2>&1 &)
