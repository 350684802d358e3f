#!/bin/sh
# Starts mcp-assay on the runtime that MCP_ASSAY_RUNTIME names, or the best one that is here:
# an oam, a Node or a Bun that is new enough, for the bundle beside this file; else the executable beside it.
set -u

say() { printf 'mcp-assay: %s\n' "$*" >&2; }

main() {
  self=$(real_path "$0")
  home=${self%/*}
  bundle=$home/bundle/index.js
  notes='' mend=''
  case ${MCP_ASSAY_RUNTIME:-auto} in
    auto) automatic "$@" ;;
    oam) run_oam "$@"; missing oam "${mend:-install oam from https://oam.sh}" ;;
    node) run_node "$@"; missing node "put node 20.0.0 or newer on PATH" ;;
    bun) run_bun "$@"; missing bun "put bun 1.4.5 or newer on PATH" ;;
    binary) run_binary "$@"; missing binary "point MCP_ASSAY_BIN at an mcp-assay executable (install.sh gets one: --target)" ;;
    *)
      say "MCP_ASSAY_RUNTIME \"$MCP_ASSAY_RUNTIME\" is none of auto, bun, oam, node, binary"
      exit 2
      ;;
  esac
}

# Each run_ function takes our place with a runtime, or returns with its reasons in notes.
automatic() {
  run_oam "$@"
  run_node "$@"
  run_bun "$@"
  run_binary "$@"
  [ -z "$notes" ] || say "$notes"
  say "there is nothing here to run on: install Node 20 or newer, or get the executable of this release"
  exit 1
}

missing() {
  case $1 in binary) noun=executable ;; *) noun=$1 ;; esac
  [ -n "$notes" ] || notes="there is no $noun here"
  say "MCP_ASSAY_RUNTIME is $1, but $notes; $2."
  exit 1
}

note() {
  if [ -z "$notes" ]; then notes=$*; else notes="$notes; $*"; fi
}

take_over() {
  [ -z "$notes" ] || say "$notes; using $1 instead."
  exec "$@"
}

run_oam() {
  [ -f "$bundle" ] || return 0
  mend=''
  if [ -n "${OAM_BIN:-}" ]; then
    if usable "OAM_BIN $OAM_BIN" "$OAM_BIN" 0.18.0; then take_over "$OAM_BIN" run "$bundle" -- "$@"; fi
    mend="point OAM_BIN at an oam 0.18.0 or newer, or unset it"
  fi
  named=$notes best='' best_version=0.0.0 seen=:
  try_oam "${OAM_INSTALL_DIR:+$OAM_INSTALL_DIR/oam}"
  try_oam "${HOME:+$HOME/.oam/bin/oam}"
  on_path oam try_oam
  [ -n "$best" ] || return 0
  notes=$named
  take_over "$best" run "$bundle" -- "$@"
}

try_oam() {
  case $seen in *":$1:"*) return 0 ;; esac
  seen=$seen$1:
  [ -n "$1" ] && [ -f "$1" ] || return 0
  usable "$1" "$1" 0.18.0 || {
    case $why in *older*) mend="update it with: oam self-update" ;; esac
    return 0
  }
  if ! at_least "$best_version" "$version"; then best=$1 best_version=$version; fi
}

run_node() { run_plain node 20.0.0 "$@"; }
run_bun() { run_plain bun 1.4.5 "$@"; }

run_plain() {
  [ -f "$bundle" ] || return 0
  name=$1 floor=$2
  shift 2
  found=''
  on_path "$name" try_plain
  [ -n "$found" ] || { [ "$name" = bun ] && try_plain "${BUN_INSTALL:-${HOME:-}/.bun}/bin/bun"; }
  [ -n "$found" ] || return 0
  # Bun would read .env, bunfig.toml and tsconfig.json of the folder it is started in, and run what they name.
  [ "$name" = node ] || set -- --no-env-file --no-install --config=/dev/null --tsconfig-override=/dev/null "$bundle" "$@"
  [ "$name" = bun ] || set -- "$bundle" "$@"
  take_over "$found" "$@"
}

try_plain() {
  [ -z "$found" ] && [ -f "$1" ] || return 0
  if usable "$1" "$1" "$floor"; then found=$1; fi
}

run_binary() {
  binary=${MCP_ASSAY_BIN:-$home/mcp-assay}
  if [ ! -f "$binary" ]; then
    [ -z "${MCP_ASSAY_BIN:-}" ] || note "MCP_ASSAY_BIN $MCP_ASSAY_BIN does not exist"
    return 0
  fi
  # In the small archive this launcher has that name.
  [ "$binary" != "$self" ] || return 0
  if [ ! -x "$binary" ]; then note "$binary may not be run"; return 0; fi
  take_over "$binary" "$@"
}

# Calls $2 with each place on PATH where a program $1 would be. Relative entries are left out: they follow the folder.
on_path() {
  rest=${PATH:-}:
  while [ -n "$rest" ]; do
    entry=${rest%%:*}
    rest=${rest#*:}
    case $entry in /*) "$2" "$entry/$1" ;; esac
  done
}

# Whether a program ($2, called $1 in notes) says that it is $3 or newer. Sets version, or why.
usable() {
  why='' version=''
  if [ ! -f "$2" ]; then
    why="does not exist"
  elif ! said=$("$2" --version 2>/dev/null </dev/null); then
    why="cannot be run"
  else
    version=$(printf '%s\n' "$said" | sed -n 's/^[^0-9]*\([0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | sed -n 1p)
    if [ -z "$version" ]; then why="does not tell its version"; fi
    if [ -n "$version" ] && ! at_least "$version" "$3"; then why="is $version, older than $3"; fi
  fi
  [ -z "$why" ] && return 0
  note "$1 $why"
  return 1
}

# Whether version $1 is $2 or newer.
at_least() {
  a=$1. b=$2.
  while [ -n "$a" ]; do
    [ "${a%%.*}" -gt "${b%%.*}" ] && return 0
    [ "${a%%.*}" -lt "${b%%.*}" ] && return 1
    a=${a#*.} b=${b#*.}
  done
  return 0
}

# The absolute path of a file, with links followed.
real_path() {
  file=$1
  # Without a slash it was named to a shell, which looks here first.
  case $file in */*) ;; *) if [ -f "$file" ]; then file=./$file; else file=$(command -v "$file"); fi ;; esac
  while [ -h "$file" ]; do
    link=$(readlink "$file")
    case $link in /*) file=$link ;; *) file=${file%/*}/$link ;; esac
  done
  printf '%s/%s\n' "$(CDPATH='' cd -P -- "${file%/*}/" && pwd)" "${file##*/}"
}

main "$@"
