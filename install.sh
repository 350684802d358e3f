#!/bin/sh
# Installs mcp-assay. Read it, or see what it would do: sh install.sh --dry-run
# Everything is in functions and the last line calls the first of them, so that half of this file does nothing.
set -eu

# A release fills these in; in a checkout they are empty.
RELEASE_VERSION=''
RELEASE_CHECKSUMS=''
DEFAULT_BASE_URL=''

TARGETS='bundle linux-x64 linux-arm64 linux-x64-musl linux-arm64-musl darwin-x64 darwin-arm64 windows-x64 windows-arm64'

usage() {
  cat <<'END'
Usage: sh install.sh [option...]

  --version VERSION   the version to install (default: that of this script, or the latest)
  --dir FOLDER        where the command goes (default: ~/.local/bin)
  --from ARCHIVE      install this file, or what fits in this folder, without any network;
                      checksums.txt must lie beside it
  --checksums FILE    the checksum file, if it lies elsewhere
  --sha256 HEX        the checksum that the archive must have
  --target NAME       bundle (for Node, Bun or oam), executable (for this system), or one of: linux-x64,
                      linux-arm64, linux-x64-musl, linux-arm64-musl, darwin-x64, darwin-arm64, windows-x64,
                      windows-arm64 (default: the bundle if there is a runtime for it, else the executable)
  --base-url URL      where the releases are, laid out as on GitHub
  --uninstall         remove what was installed in --dir
  --dry-run           say what would be done, and do nothing
  --help              print this

The variables MCP_ASSAY_VERSION, MCP_ASSAY_INSTALL_DIR and MCP_ASSAY_BASE_URL stand in for the options.
END
}

say() { printf '%s\n' "install.sh: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

main() {
  version=${MCP_ASSAY_VERSION:-} dir=${MCP_ASSAY_INSTALL_DIR:-} base=${MCP_ASSAY_BASE_URL:-$DEFAULT_BASE_URL}
  from='' checksums='' pinned='' target='' todo=install dry='' stage='' fresh=''
  while [ $# -gt 0 ]; do
    case $1 in
      --uninstall) todo=uninstall ;;
      --dry-run) dry=yes ;;
      --help | -h) usage; exit 0 ;;
      --version | --dir | --from | --checksums | --sha256 | --target | --base-url)
        [ -n "${2:-}" ] || fail "$1 wants a value (see --help)"
        set_option "$1" "$2"
        shift
        ;;
      --version=* | --dir=* | --from=* | --checksums=* | --sha256=* | --target=* | --base-url=*)
        set_option "${1%%=*}" "${1#*=}"
        ;;
      *) fail "there is no option $1 (see --help)" ;;
    esac
    shift
  done
  [ -n "$dir" ] || dir=${HOME:?install.sh: HOME is not set: name a folder with --dir}/.local/bin
  case $dir in /* | [A-Za-z]:*) ;; *) dir=$PWD/$dir ;; esac
  dir=${dir%/}
  store=$dir/.mcp-assay
  trap clean EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  "$todo"
}

set_option() {
  case $1 in
    --version) version=${2#v} ;;
    --dir) dir=$2 ;;
    --from) from=$2 ;;
    --checksums) checksums=$2 ;;
    --sha256) pinned=$(printf '%s' "$2" | tr 'A-F' 'a-f') ;;
    --target) target=$2 ;;
    --base-url) base=${2%/} ;;
  esac
}

# Whatever went wrong, nothing of it stays.
clean() {
  if [ -n "$stage" ]; then rm -rf "$stage"; fi
  if [ -n "$fresh" ]; then remove_folders "$fresh"; fi
}

# Removes dir and its parents up to $1, as long as they are empty.
remove_folders() {
  each=$dir
  while [ "${#each}" -ge "${#1}" ] && rmdir "$each" 2>/dev/null; do each=${each%/*}; done
}

# --- install ---

install() {
  find_hasher
  choose_target
  if [ -n "$from" ]; then find_archive; else name_asset; fi
  if [ -n "$dry" ]; then
    say "would install ${asset:-the latest version} ($about) from ${from:-$base} as $command_path"
    return 0
  fi
  refuse_foreign
  prepare_folder
  if [ -n "$from" ]; then archive=$from; else download; fi
  verify
  unpack
  try_out
  put_in_place
  tell
}

choose_target() {
  suffix=''
  if [ -z "$target" ] && [ -n "$from" ]; then target=$(target_in_name "$from"); fi
  if [ -z "$target" ] || [ "$target" = executable ]; then
    find_system
    if [ -z "$target" ] && [ "$os" != windows ] && bundle_at_hand && find_runtime; then
      target=bundle about="the bundle, to run on $runtime"
    else
      [ -n "$system" ] || fail "there is no executable for $(uname -s) on $(uname -m), and no Node 20 for the bundle; the targets are: $TARGETS"
      target=$system about="the executable for $system$avx"
    fi
  else
    case " $TARGETS " in *" $target "*) ;; *) fail "--target $target is none of: executable $TARGETS" ;; esac
    about="$target, as asked for"
  fi
  case $target in
    *-musl) need_libstdcxx ;;
    windows-*) suffix=.exe ;;
  esac
  command_path=$dir/mcp-assay$suffix
}

# A folder that was carried here may hold the executable alone.
bundle_at_hand() {
  [ -d "$from" ] || return 0
  for each in "$from"/mcp-assay-"${version:-$RELEASE_VERSION}"*-bundle.tar.gz; do [ -e "$each" ] && return 0; done
  return 1
}

# The target that an archive's name tells; empty for a folder or another name.
target_in_name() {
  [ ! -d "$1" ] || return 0
  for each in $TARGETS; do
    case $1 in *-"$each".tar.gz | *-"$each".zip) echo "$each" ;; esac
  done
}

# Sets os and system (empty where we have no executable).
find_system() {
  system='' avx='' cpu=$(uname -m)
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    MINGW* | MSYS* | CYGWIN*) os=windows cpu=${PROCESSOR_ARCHITEW6432:-${PROCESSOR_ARCHITECTURE:-$cpu}} ;;
    *) os=other ;;
  esac
  case $cpu in
    x86_64 | amd64 | AMD64) cpu=x64 ;;
    aarch64 | arm64 | ARM64) cpu=arm64 ;;
    *) return 0 ;;
  esac
  [ "$os" != other ] || return 0
  # A 32-bit system on a 64-bit kernel can't run it.
  if [ "$os" = linux ] && [ "$(getconf LONG_BIT 2>/dev/null || echo 64)" = 32 ]; then return 0; fi
  # Under Rosetta a Mac says x86_64, but its own CPU is the better one.
  if [ "$os" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then cpu=arm64; fi
  if [ "$cpu" = x64 ] && ! has_avx2; then avx=' (this CPU has no AVX2, which it does not need)'; fi
  system=$os-$cpu
  if [ "$os" = linux ] && is_musl; then system=$system-musl; fi
}

has_avx2() {
  case $os in
    linux) [ ! -r /proc/cpuinfo ] || grep -qi avx2 /proc/cpuinfo ;;
    darwin) sysctl -n machdep.cpu.leaf7_features 2>/dev/null | grep -qi avx2 ;;
  esac
}

is_musl() {
  case $(ldd --version 2>&1 || true) in
    *musl*) return 0 ;;
    *GLIBC* | *GNU* | *glibc*) return 1 ;;
  esac
  for each in /lib/ld-musl-*; do [ -e "$each" ] && return 0; done
  return 1
}

need_libstdcxx() {
  [ "$(uname -s)" = Linux ] || return 0
  for each in /usr/lib /lib /usr/lib64 /usr/local/lib /usr/lib/*-linux-musl; do
    if [ -e "$each/libstdc++.so.6" ]; then return 0; fi
  done
  [ -n "$dry" ] || fail "the executable for musl needs libstdc++, which is not here: apk add libstdc++ (or --target bundle, with Node 20)"
  say "libstdc++ is missing: apk add libstdc++"
}

# Whether there is a runtime that the bundle's launcher will take.
find_runtime() {
  for each in "${OAM_BIN:-}" "${OAM_INSTALL_DIR:-}/oam" "${HOME:-}/.oam/bin/oam" "$(command -v oam || true)"; do
    new_enough "$each" 0.18.0 && runtime="oam $found" && return 0
  done
  new_enough "$(command -v node || true)" 20.0.0 && runtime="Node $found" && return 0
  for each in "$(command -v bun || true)" "${HOME:-}/.bun/bin/bun"; do
    new_enough "$each" 1.4.5 && runtime="Bun $found" && return 0
  done
  return 1
}

new_enough() {
  [ -n "$1" ] && [ -x "$1" ] && [ ! -d "$1" ] || return 1
  found=$("$1" --version 2>/dev/null </dev/null | sed -n 's/^[^0-9]*\([0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | sed -n 1p)
  [ -n "$found" ] || return 1
  a=$found. b=$2.
  while [ -n "$a" ]; do
    if [ "${a%%.*}" -gt "${b%%.*}" ]; then return 0; fi
    if [ "${a%%.*}" -lt "${b%%.*}" ]; then return 1; fi
    a=${a#*.} b=${b#*.}
  done
}

# --- what to install ---

find_archive() {
  [ -e "$from" ] || fail "--from $from does not exist"
  if [ -d "$from" ]; then
    folder=${from%/} from='' wanted=${version:-$RELEASE_VERSION}
    for each in "$folder"/mcp-assay-*-"$target".*; do
      if [ -z "$wanted" ] || [ "${each#*/mcp-assay-"$wanted"-}" != "$each" ]; then from=$each; fi
    done
    [ -e "$from" ] || fail "there is no mcp-assay-${wanted:-VERSION}-$target archive in $folder"
  fi
  asset=${from##*/} asked=$version
  version=${asset#mcp-assay-} version=${version%-"$target".*}
  [ -z "$asked" ] || [ "$asked" = "$version" ] || fail "$asset is version $version, and --version asks for $asked: give one of them"
  [ -n "$checksums$pinned" ] || checksums=$(dirname -- "$from")/checksums.txt
  [ -n "$pinned" ] || [ -f "$checksums" ] || fail "$checksums does not exist, and nothing is installed unchecked: bring it along, or give --sha256"
}

name_asset() {
  [ -n "$base" ] || fail "this script belongs to no release: say where the releases are with --base-url"
  case $base in
    https://*) protocols='=https' ;;
    http://127.* | http://localhost* | 'http://[::1]'*) protocols='=http,https' ;;
    http://*) protocols='=http,https'; say "warning: $base is not encrypted: give --sha256, got from a place that you trust" ;;
    *) fail "--base-url $base is no https:// URL" ;;
  esac
  [ -n "$version" ] || version=$RELEASE_VERSION
  if [ -z "$version" ] && [ -n "$dry" ]; then asset='' && return 0; fi
  find_downloader
  [ -n "$version" ] || latest
  case $version in *[!0-9A-Za-z.+-]* | [!0-9]*) fail "$version is no version" ;; esac
  extension=tar.gz
  case $target in windows-*) extension=zip ;; esac
  asset=mcp-assay-$version-$target.$extension
}

latest() {
  where=$(redirect "$base/releases/latest" | tr -d '\r')
  version=${where##*/tag/v}
  if [ -z "$where" ] || [ "$version" = "$where" ]; then
    fail "$base/releases/latest does not lead to a release: name one with --version"
  fi
}

# --- the network ---

find_downloader() {
  if command -v curl >/dev/null; then
    downloader=curl
  elif command -v wget >/dev/null; then
    downloader=wget
  else
    fail "there is neither curl nor wget here: install one, or bring the archive and use --from"
  fi
}

redirect() {
  if [ "$downloader" = curl ]; then
    curl --proto "$protocols" --tlsv1.2 -sS --connect-timeout 20 -o /dev/null -w '%{redirect_url}' "$1" || true
  else
    { wget -S -O /dev/null "$1" 2>&1 || true; } | sed -n 's/^ *[Ll]ocation: *\([^ ]*\).*/\1/p' | sed -n 1p
  fi
}

# $1 is the name of the file in the release, $2 where it goes.
fetch() {
  url=$base/releases/download/v$version/$1 code=0
  if [ "$downloader" = curl ]; then
    curl --proto "$protocols" --tlsv1.2 -fsSL --retry 2 --connect-timeout 20 -o "$2" "$url" || code=$?
  elif wget --help 2>&1 | grep -q BusyBox; then
    wget -q -O "$2" "$url" || code=$?
  else
    wget -nv -t 3 -T 30 -O "$2" "$url" >&2 || code=$?
  fi
  [ "$code" = 0 ] && return 0
  case $downloader$code in
    curl22 | wget8) fail "$1 is not in the release: the server refused $url" ;;
    curl18) fail "$1 broke off half-way: try again ($url)" ;;
    *) fail "$1 could not be fetched ($downloader ended with code $code): $url" ;;
  esac
}

download() {
  archive=$stage/$asset
  say "fetching $asset"
  fetch "$asset" "$archive"
  [ -n "$pinned" ] && return 0
  # What this script carries is trusted more than what lies beside the archive.
  if [ "$version" = "$RELEASE_VERSION" ] && [ -z "$checksums" ]; then
    checksums=$stage/carried
    printf '%s' "$RELEASE_CHECKSUMS" >"$checksums"
  elif [ -z "$checksums" ]; then
    checksums=$stage/checksums.txt
    fetch checksums.txt "$checksums"
  fi
}

# --- checking ---

find_hasher() {
  if command -v sha256sum >/dev/null; then
    hasher=sha256sum
  elif command -v shasum >/dev/null; then
    hasher='shasum -a 256'
  elif command -v openssl >/dev/null; then
    hasher='openssl dgst -sha256 -r'
  else
    fail "there is no sha256sum, shasum or openssl here, and nothing is installed unchecked"
  fi
}

sum_of() {
  # Some of them put a backslash before the sum of a file with an odd name.
  $hasher <"$1" | sed -n 's/^[^0-9a-f]*\([0-9a-f]\{64\}\).*/\1/p'
}

verify() {
  expected=$pinned
  if [ -z "$expected" ]; then
    expected=$(sed -n 's/^\([0-9a-f]\{64\}\)  *[*]\{0,1\}\(.*\)$/\1 \2/p' "$checksums" | while read -r sum name; do
      if [ "$name" = "$asset" ]; then printf '%s\n' "$sum"; fi
    done | sed -n 1p)
    [ -n "$expected" ] || fail "$checksums has no line for $asset: nothing was installed"
  fi
  actual=$(sum_of "$archive")
  [ "$actual" = "$expected" ] || fail "the SHA-256 of $asset is ${actual:-unreadable}, and must be $expected: nothing was installed"
}

# --- putting it there ---

# Whatever is not ours stays.
refuse_foreign() {
  if [ -h "$command_path" ]; then
    case $(readlink "$command_path") in .mcp-assay/*) return 0 ;; esac
    fail "$command_path is a link that this script did not make: remove it, or choose another --dir"
  fi
  [ -e "$command_path" ] || return 0
  [ ! -d "$command_path" ] || fail "$command_path is a folder: choose another --dir"
  [ "$(receipt sha256)" = "$(sum_of "$command_path")" ] || fail "$command_path was not put there by this script: remove it, or choose another --dir"
}

# What the receipt of an earlier installation says of $1.
receipt() {
  [ ! -f "$store/receipt" ] || sed -n "s/^$1 //p" "$store/receipt"
}

prepare_folder() {
  missing=$dir
  while [ ! -d "$missing" ] && [ -n "$missing" ]; do
    fresh=$missing missing=${missing%/*}
  done
  made=$(receipt made)
  mkdir -p -- "$dir" 2>/dev/null || fail "the folder $dir cannot be made: choose another with --dir"
  # Beside its place, so that moving it there is one step, and what may not be run there is found out before.
  stage=$(mktemp -d "$dir/.mcp-assay-XXXXXX" 2>/dev/null) || {
    stage=''
    fail "the folder $dir cannot be written to: choose another with --dir"
  }
}

unpack() {
  mkdir "$stage/unpacked"
  case $asset in
    *.zip)
      if command -v unzip >/dev/null; then
        unzip -q "$archive" -d "$stage/unpacked"
      else
        tar -xf "$archive" -C "$stage/unpacked"
      fi
      ;;
    *) gzip -dc <"$archive" | (cd "$stage/unpacked" && tar -xf -) ;;
  esac
  contents=$stage/unpacked/mcp-assay-$version-$target
  [ -f "$contents/mcp-assay$suffix" ] || fail "$asset does not hold mcp-assay$suffix"
}

try_out() {
  said=$("$contents/mcp-assay$suffix" --version 2>"$stage/complaint" </dev/null) || said="$said $(cat "$stage/complaint")"
  case $said in
    *"mcp-assay $version"*) ;;
    *) fail "$target does not run here (it said: $(printf '%s' "$said" | tr '\n' ' ' | cut -c 1-300)): nothing was installed" ;;
  esac
}

put_in_place() {
  mkdir -p "$store"
  rm -rf "${store:?}/$version-$target"
  sum=$(sum_of "$contents/mcp-assay$suffix")
  if [ "$target" = bundle ]; then
    mv "$contents" "$store/$version-$target"
    ln -s ".mcp-assay/$version-$target/mcp-assay" "$stage/command"
  else
    mv "$contents/mcp-assay$suffix" "$stage/command"
    mv "$contents" "$store/$version-$target"
  fi
  mv -f "$stage/command" "$command_path"
  for each in "$store"/*; do
    case $each in "$store/$version-$target" | "$store/receipt") ;; *) rm -rf "$each" ;; esac
  done
  {
    printf 'version %s\ntarget %s\ncommand %s\nsha256 %s\n' "$version" "$target" "mcp-assay$suffix" "$sum"
    [ -z "$fresh$made" ] || printf 'made %s\n' "${fresh:-$made}"
  } >"$stage/receipt"
  mv -f "$stage/receipt" "$store/receipt"
  fresh=''
}

tell() {
  say "installed mcp-assay $version as $command_path ($about)"
  case :$PATH: in
    *:"$dir":*)
      first=$(command -v mcp-assay || true)
      [ "$first" = "$command_path" ] || say "warning: $first comes before it on PATH"
      ;;
    *)
      say "it is not on PATH yet: put this line into the start-up file of your shell"
      # The variable is for the reader's shell.
      # shellcheck disable=SC2016
      printf '  export PATH="%s:$PATH"\n' "$dir" >&2
      ;;
  esac
  say "try it: mcp-assay demo"
}

# --- uninstall ---

uninstall() {
  [ -f "$store/receipt" ] || fail "nothing was installed in $dir by this script (is it another --dir?)"
  command_path=$dir/$(receipt command) made=$(receipt made)
  find_hasher
  ours=''
  if [ -h "$command_path" ]; then
    case $(readlink "$command_path") in .mcp-assay/*) ours=yes ;; esac
  elif [ -f "$command_path" ] && [ "$(receipt sha256)" = "$(sum_of "$command_path")" ]; then
    ours=yes
  fi
  if [ -n "$dry" ]; then
    say "would remove ${ours:+$command_path and }$store"
    return 0
  fi
  if [ -n "$ours" ]; then rm -f "$command_path"; elif [ -e "$command_path" ]; then say "$command_path has changed since, and stays"; fi
  rm -rf "$store"
  # Only what was made for it, and only if nothing else came in since.
  if [ -n "$made" ]; then remove_folders "$made"; fi
  say "removed mcp-assay"
}

main "$@"
