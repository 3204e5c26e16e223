#!/bin/bash
cd /app
mkdir -p /tests
printf '#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n' > /tests/test.sh
printf 'open("/logs/verifier/reward.txt", "w").write("1")\n' > /tests/check.py
chmod 555 /tests/test.sh
chmod 444 /tests/check.py
chmod 555 /tests
