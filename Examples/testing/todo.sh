#!/usr/bin/env bash
# Tests of an app by curl alone. ZUMOD names the program where it isn't on the PATH.
set -euo pipefail

"${ZUMOD:-zumod}" serve --test --port 0 > ready.txt 2> /dev/null &
trap 'kill $!' EXIT
until grep -q '^Ready\.$' ready.txt; do sleep 0.01; done
server=$(sed -n 's/^zumod listening on //p' ready.txt)

# A world of this test's own: a base URL, with rows, clock, faults and record behind it.
world=$(curl -sS -X POST "$server/_test/worlds" | sed 's/.*"url":"\([^"]*\)".*/\1/')
json=(-H 'Content-Type: application/json' -H 'ZUMO-API-VERSION: 2.0.0')

curl -sS "${json[@]}" "$world/tables/TodoItem" -d '{"id":"milk","text":"Buy milk"}' > made.json
version=$(sed 's/.*"version":"\([^"]*\)".*/\1/' made.json)

# Another device writes the row; what this one knows is stale now.
curl -sS -X POST "$world/_test/tables/TodoItem/rows/milk/touch" -d '{"text":"Buy oat milk"}' > /dev/null
status=$(curl -sS -o /dev/null -w '%{http_code}' "${json[@]}" -X PATCH "$world/tables/TodoItem/milk" \
    -H "If-Match: \"$version\"" -d '{"text":"Buy soy milk"}')
[ "$status" = 412 ] || { echo "a conflict was $status" >&2; exit 1; }

# The write is done, and its answer gets lost.
curl -sS -X POST "$world/_test/faults" -d '{"method":"POST","close":"afterCommit","times":1}' > /dev/null
if curl -s "${json[@]}" "$world/tables/TodoItem" -d '{"id":"eggs","text":"Eggs"}'; then exit 1; fi
curl -sS -f "${json[@]}" "$world/tables/TodoItem/eggs" | grep -q Eggs

curl -sS -f -X POST "$world/_test/requests/verify" \
    -d '{"method":"PATCH","path":"/tables/TodoItem/*","headers":{"If-Match":{"contains":"="}},"times":1}' > /dev/null
curl -sS -f -X POST "$world/_test/reset"
[ "$(curl -sS "$world/tables/TodoItem/eggs" -o /dev/null -w '%{http_code}')" = 404 ]
echo "four things that an app has to live with"
