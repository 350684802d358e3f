#!/bin/sh
# What the GitHub action does: gets the executable of its own version, checks it, runs the verbs that the inputs ask
# for, one after the other whatever the one before said, and fails at the end if any of them failed.
set -u

fail() {
  printf '::error title=mcp-assay::%s\n' "$*"
  exit 1
}

main() {
  target=${INPUT_TARGET:-${INPUT_COMMAND:-}}
  [ -n "$target" ] || fail "the input target is missing: give the URL of the server, or the command that starts it"
  if [ -n "${INPUT_TARGET:-}" ] && [ -n "${INPUT_COMMAND:-}" ] && [ "$INPUT_TARGET" != "$INPUT_COMMAND" ]; then
    fail "the inputs target and command name two servers: keep one of them"
  fi
  for each in STRICT UPLOAD_SARIF HEALTH PUBLISHABILITY; do
    eval "value=\${INPUT_$each:-}"
    # shellcheck disable=SC2154
    case $value in true | false | '') ;; *) fail "the input $(lower "$each") is $value: write 'true' or 'false'" ;; esac
  done
  temp=$RUNNER_TEMP/mcp-assay
  mkdir -p "$temp"
  # Git's shell on Windows would rewrite arguments such as /mcp.
  export MSYS_NO_PATHCONV=1 MSYS2_ARG_CONV_EXCL='*'
  if [ -n "${INPUT_AUTH:-}" ]; then printf '::add-mask::%s\n' "$INPUT_AUTH"; fi
  get_executable
  status=0 why=''
  run_test
  if wants HEALTH || [ -n "${INPUT_HTML_REPORT:-}${INPUT_JSON_OUTPUT:-}" ] || wants PUBLISHABILITY; then run_verb health; fi
  if wants PUBLISHABILITY; then run_verb score; fi
  if [ -n "${INPUT_BASELINE:-}" ]; then run_verb gate; fi
  [ -z "$why" ] || printf '::error title=mcp-assay::%s\n' "$why"
  exit "$status"
}

wants() {
  eval "[ \"\${INPUT_$1:-}\" = true ]"
}

lower() {
  printf '%s' "$1" | tr 'A-Z_' 'a-z-'
}

get_executable() {
  # package.json is the one place that says where the releases are.
  package=$GITHUB_ACTION_PATH/package.json
  base=$(sed -n 's|^ *"url": *"git+\(.*\)\.git".*|\1|p' "$package")
  own=$(sed -n 's|^ *"version": *"\(.*\)".*|\1|p' "$package")
  version=${INPUT_VERSION:-$own}
  set -- --base-url "$base" --dir "$temp/bin" --target executable
  if [ "$version" != latest ]; then set -- "$@" --version "$version"; fi
  if [ -n "${INPUT_SHA256:-}" ]; then set -- "$@" --sha256 "$INPUT_SHA256"; fi
  sh "$GITHUB_ACTION_PATH/install.sh" "$@" || fail "mcp-assay $version could not be installed (see above)"
  assay=$temp/bin/mcp-assay
  [ -f "$assay" ] || assay=$assay.exe
  printf '%s\n' "$temp/bin" >>"$GITHUB_PATH"
}

# Notes the failure of a verb; the first code is the one that the step ends with.
ended() {
  [ "$2" != 0 ] || return 0
  why="$why${why:+; }$1 ended with code $2"
  if [ "$status" = 0 ]; then status=$2; fi
}

tell() {
  [ -z "$2" ] || printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# --- the verbs ---

run_test() {
  report=$temp/report.json
  set -- test --format "${INPUT_FORMAT:-github}" --format "json=$report" --timeout "${INPUT_TIMEOUT:-30000}"
  if wants STRICT; then set -- "$@" --strict; fi
  if wants UPLOAD_SARIF; then set -- "$@" --format "sarif=$temp/report.sarif"; fi
  if [ -n "${INPUT_MIN_GRADE:-}" ]; then set -- "$@" --min-grade "$INPUT_MIN_GRADE"; fi
  if [ -n "${INPUT_SPEC_VERSION:-}" ]; then set -- "$@" --spec-version "$INPUT_SPEC_VERSION"; fi
  if [ -n "${INPUT_ONLY:-}" ]; then set -- "$@" --only "$INPUT_ONLY"; fi
  if [ -n "${INPUT_SKIP:-}" ]; then set -- "$@" --skip "$INPUT_SKIP"; fi
  if [ -n "${INPUT_OUTPUT:-}" ]; then set -- "$@" --output "$INPUT_OUTPUT"; fi
  if [ -n "${INPUT_EXPECTED_FAILURES:-}" ]; then set -- "$@" --expected-failures "$INPUT_EXPECTED_FAILURES"; fi
  reach "$@"
  ended test "$?"
  [ -f "$report" ] || return 0
  tell grade "$(top grade "$report")"
  tell score "$(top score "$report")"
  tell spec-version "$(top specVersion "$report")"
  for each in passed failed skipped; do tell "$each" "$(within summary "$each" "$report")"; done
  if [ -f "$temp/report.sarif" ]; then tell sarif "$temp/report.sarif"; fi
}

run_verb() {
  if ! "$assay" help "$1" >/dev/null 2>&1; then
    why="$why${why:+; }mcp-assay $("$assay" --version | sed 's/[^ ]* //;q') has no verb $1 yet, which an input asks for"
    if [ "$status" = 0 ]; then status=1; fi
    return 0
  fi
  case $1 in
    health) run_health ;;
    score) run_score ;;
    gate) run_gate ;;
  esac
}

run_health() {
  report=$temp/health.json
  set -- health --format "json=$report"
  if [ -n "${INPUT_HTML_REPORT:-}" ]; then set -- "$@" --format "html=$INPUT_HTML_REPORT"; fi
  reach "$@"
  ended health "$?"
  [ -f "$report" ] || return 0
  if [ -n "${INPUT_JSON_OUTPUT:-}" ]; then cp "$report" "$INPUT_JSON_OUTPUT"; fi
  tell schema-warnings "$(top schemaWarnings "$report")"
  tell tools-pass-rate "$(awk -v called="$(top toolsCallable "$report")" -v all="$(top toolsTotal "$report")" \
    'BEGIN { if (all > 0) printf "%.2f", called / all }')"
}

run_score() {
  report=$temp/score.json
  set -- score --format "json=$report" --fail-under "${INPUT_FAIL_UNDER:-0}"
  if [ -n "${INPUT_PACKAGE:-}" ]; then set -- "$@" --package "$INPUT_PACKAGE"; fi
  reach "$@"
  ended score "$?"
  [ -f "$report" ] || return 0
  tell composite-score "$(top compositeScore "$report")"
  tell band "$(top band "$report")"
}

run_gate() {
  report=$temp/gate.json
  set -- gate --baseline "$INPUT_BASELINE" --format "json=$report"
  if [ -n "${INPUT_FAIL_ON:-}" ]; then set -- "$@" --fail-on "$INPUT_FAIL_ON"; fi
  if [ -n "${INPUT_MARKDOWN:-}" ]; then set -- "$@" --markdown "$INPUT_MARKDOWN"; fi
  reach "$@"
  ended gate "$?"
  [ -f "$report" ] || return 0
  tell breaking-count "$(within summary breaking "$report")"
  tell security-count "$(within summary security "$report")"
}

# Runs a verb on the target. What every verb is told of the server is added here; lists have one entry a line.
reach() {
  if [ -n "${INPUT_AUTH:-}" ]; then set -- "$@" --auth-env INPUT_AUTH; fi
  if [ -n "${INPUT_ENV_FILE:-}" ]; then set -- "$@" --env-file "$INPUT_ENV_FILE"; fi
  if [ -n "${INPUT_CWD:-}" ]; then set -- "$@" --cwd "$INPUT_CWD"; fi
  rest=${INPUT_HEADER:-}
  while [ -n "$rest" ]; do
    take_line
    if [ -n "$line" ]; then set -- "$@" --header "$line"; fi
  done
  rest=${INPUT_ENV:-}
  while [ -n "$rest" ]; do
    take_line
    if [ -n "$line" ]; then set -- "$@" --env "$line"; fi
  done
  "$assay" "$@" -- "$target"
}

# Moves the first line of rest to line.
take_line() {
  line=${rest%%"$newline"*}
  case $rest in *"$newline"*) rest=${rest#*"$newline"} ;; *) rest='' ;; esac
  line=$(printf '%s' "$line" | sed 's/^[[:blank:]]*//; s/[[:space:]]*$//')
}

newline='
'

# --- reading our own JSON, which is indented and keeps every text on one line ---

# The value of a member of the document.
top() {
  sed -n "s/^  \"$1\": \"\{0,1\}\([A-Za-z0-9.-]*\)\"\{0,1\},\{0,1\}\$/\1/p" "$2" | sed -n 1p
}

# The value of member $2 of its member $1.
within() {
  sed -n "/^  \"$1\": {/,/^  }/s/^    \"$2\": \([0-9.]*\),\{0,1\}\$/\1/p" "$3" | sed -n 1p
}

main
