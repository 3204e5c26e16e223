#!/bin/sh
set -eu
url=${1:?usage: schemathesis.sh URL [EXAMPLES] [further arguments of schemathesis run]}
examples=${2:-500}
shift $(($# > 1 ? 2 : 1))
exec schemathesis run "$url/openapi.json" --url "$url" \
  --phases examples,coverage,fuzzing,stateful \
  --mode all --max-examples "$examples" --seed 1 --generation-database none \
  --checks all --exclude-checks use_after_free,ignored_auth,positive_data_acceptance,negative_data_rejection \
  --continue-on-failure --request-timeout 10 --suppress-health-check all --warnings off --no-color "$@"
