#!/bin/bash
set -e
cd /app
cat > backup.sh <<'END'
#!/bin/bash
[ -d "$1" ] || exit 2
mkdir -p -- "$2" || exit 1
to=$(cd -- "$2" && pwd -P && echo x) || exit 1
to=${to%$'\n'x}
cd -- "$1" || exit 2
count=0
while IFS= read -r -d '' file; do
  folder=$to/$(dirname -- "$file"; echo x)
  folder=${folder%$'\n'x}
  mkdir -p -- "$folder"
  cp -p -- "$file" "$folder/"
  count=$((count + 1))
done < <(find . -type f \( -name '*.txt' -o -name '*.md' \) -print0)
echo "$count"
END
