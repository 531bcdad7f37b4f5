#!/usr/bin/env bash
# The lowest layer of the image: the few files of Debian 12 that the agent's programs need, and nothing that runs.
# usage: image-base.sh CACHE DIR    makes DIR/tree, DIR/packages.txt and DIR/key (what it was made from)
# Packages are unpacked, not installed: no maintainer script runs, so there is nothing to clean up and nothing that
# depends on this machine. CACHE keeps apt's lists and the downloaded packages.
set -euo pipefail
umask 022
cache=$1 out=$2
release=bookworm
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

packages=(
  iptables nftables
  libip4tc2 libip6tc2 libxtables12 libnfnetlink0 libnetfilter-conntrack3 # of iptables
  libnftables1 libjansson4 libgmp10 libedit2 libbsd0 libmd0 libtinfo6    # of nft; jansson is its JSON
  libmnl0 libnftnl11                                                     # of both
  libc6 zlib1g                                                           # of everything; of some builds of Java
  libc-bin                                                               # for the locale C.UTF-8 alone
  netbase                                                                # names of protocols, as nodes have them
  base-files                                                             # which Debian this is, for scanners; licences
  ca-certificates
  dash                                                                   # for the agent's launcher alone
)

# Everything else in these packages is left out: other programs, manuals, translations, character sets.
keep='^\./('
keep+='usr/lib/[^/]*/(xtables/)?[^/]*\.so[^/]*|usr/lib(64)?/ld-linux[^/]*'
keep+='|usr/sbin/(xtables-(nft|legacy)-multi|ip6?tables-(nft|legacy)(-save|-restore)?|nft)'
# not as sh: nothing that asks for a shell finds one
keep+='|(usr/)?bin/dash'
keep+='|etc/(protocols|services|host\.conf|gai\.conf|debian_version|os-release)|usr/lib/os-release'
keep+='|usr/lib/locale/C\.utf8/.*|usr/share/doc/[^/]*/copyright|usr/share/common-licenses/.*'
keep+=')$'
# libraries of the kept packages that none of the kept programs asks for
drop='/lib(mvec|memusage|pcprofile|c_malloc_debug|thread_db|BrokenLocale|nsl|nss_hesiod|nss_compat|tic)\.so'

say() { printf 'image: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# Debian's mirrors: those of this system's own apt, or as IP_MASQ_DEBIAN_MIRROR and IP_MASQ_DEBIAN_SECURITY_MIRROR say.
sources() {
  local signed='' mirror=${IP_MASQ_DEBIAN_MIRROR:-}
  [ ! -e "$keyring" ] || signed="[signed-by=$keyring] "
  if [ -n "$mirror" ]; then
    echo "deb $signed$mirror $release main"
    echo "deb $signed$mirror $release-updates main"
    echo "deb $signed${IP_MASQ_DEBIAN_SECURITY_MIRROR:-$mirror-security} $release-security main"
  else
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u |
      sed -n -E "s|^([^ ]+) ($release(-updates\|-security)?) main\$|deb $signed\1 \2 main|p"
  fi
}

# An apt with a root of its own: this machine's other sources and installed packages have no effect.
private_apt() {
  mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial" "$cache/apt/etc" "$cache/debs"
  local found
  found=$(sources)
  [ -n "$found" ] || fail "apt knows no source of Debian $release here: set IP_MASQ_DEBIAN_MIRROR"
  printf '%s\n' "$found" >"$cache/apt/sources.list"
  : >"$cache/apt/status"
  cat >"$cache/apt/apt.conf" <<CONF
Dir::State "$cache/apt/";
Dir::State::status "$cache/apt/status";
Dir::Cache "$cache/apt/";
Dir::Etc::sourcelist "$cache/apt/sources.list";
Dir::Etc::sourceparts "-";
Acquire::Languages "none";
APT::Architecture "$(dpkg --print-architecture)";
APT::Sandbox::User "root";
CONF
  export APT_CONFIG=$cache/apt/apt.conf
}

# The newest version of each package, as lines of FILE SHA256; the lists are small and signed, so they are always asked.
resolve() {
  if ! apt-get update -qq --error-on=any >&2; then
    [ -s "$cache/resolved" ] || fail "the package lists could not be fetched"
    say "the package lists could not be fetched: using the versions of $(date -r "$cache/resolved" +%F)"
    return 0
  fi
  apt-get download --print-uris "${packages[@]}" | sed -E "s/^'[^']*' ([^ ]+) [0-9]+ SHA256:([0-9a-f]{64}).*/\1 \2/" |
    LC_ALL=C sort >"$cache/resolved.new"
  [ "$(wc -l <"$cache/resolved.new")" -eq ${#packages[@]} ] || fail "not one version of each package: $cache/resolved.new"
  mv "$cache/resolved.new" "$cache/resolved"
}

download() {
  local file missing=0
  while read -r file _; do
    [ -f "$cache/debs/$file" ] || missing=1
  done <"$cache/resolved"
  [ "$missing" -eq 0 ] || (cd "$cache/debs" && apt-get download -qq "${packages[@]}" >&2)
  # apt has checked what it downloaded; nobody has checked what was in the cache before
  (cd "$cache/debs" && awk '{print $2 "  " $1}' ../resolved | sha256sum --check --quiet >&2) ||
    fail "a package in $cache/debs is damaged: remove that directory"
}

unpack() {
  local tree=$1 file directory
  # Debian's merged layout, which its packages expect and none of them brings
  mkdir -p "$tree"/usr/{bin,sbin,lib,lib64}
  for directory in bin sbin lib lib64; do ln -s "usr/$directory" "$tree/$directory"; done
  while read -r file _; do
    dpkg-deb --fsys-tarfile "$cache/debs/$file" | tar -C "$tree" -x --keep-directory-symlink --no-same-owner
  done <"$cache/resolved"
}

# One file for programs that read PEM; sorted, for the same bytes every time.
trust() {
  local tree=$1 authority
  mkdir -p "$2"
  for authority in $(cd "$tree/usr/share/ca-certificates" && find . -name '*.crt' | LC_ALL=C sort); do
    # a certificate need not end its last line
    sed '$a\' "$tree/usr/share/ca-certificates/$authority"
  done >"$2/ca-certificates.crt"
}

# In dpkg's own format, where scanners look for what is installed.
record() {
  local tree=$1 file
  mkdir -p "$tree/var/lib/dpkg"
  while read -r file _; do
    dpkg-deb --field "$cache/debs/$file" | sed '1a Status: install ok installed'
    echo
  done <"$cache/resolved" >"$tree/var/lib/dpkg/status"
  while read -r file _; do
    dpkg-deb --show --showformat='${Package} ${Version}\n' "$cache/debs/$file"
  done <"$cache/resolved" >"$out/packages.txt"
}

strip_down() {
  local tree=$1
  (cd "$tree" && find . ! -type d | keep=$keep drop=$drop awk '
    /^\.\/(bin|sbin|lib|lib64)$/ { next }
    $0 !~ ENVIRON["keep"] || $0 ~ ENVIRON["drop"]' | tr '\n' '\0' | xargs -0 -r rm -f)
  find "$tree" -mindepth 1 -type d -empty -delete
}

# Mount points too: the root is read-only in a pod.
furnish() {
  local tree=$1 link
  # the loader's is absolute in the package: followed outside a container, it would lead into another system
  find "$tree/usr" -type l -lname '/*' | while read -r link; do
    ln -sfn --relative "$tree$(readlink "$link")" "$link"
  done
  mkdir -p "$tree"/{dev,opt,proc,sys,run,root,tmp} "$tree"/{etc/config,etc/ip-masq-agent-profile,var/lib/ip-masq-agent} \
    "$tree"/usr/lib/modules "$tree/etc/ssl/certs"
  : >"$tree/run/xtables.lock"
  chmod 700 "$tree/root"
  chmod 1777 "$tree/tmp"
  echo 'root:x:0:0:root:/root:/sbin/nologin' >"$tree/etc/passwd"
  echo 'root:x:0:' >"$tree/etc/group"
  printf 'hosts: files dns\n' >"$tree/etc/nsswitch.conf"
}

# Every library that a program or a plug-in names must be there; this check finds what the list above lacks.
check_libraries() {
  local tree=$1 loader lacking
  loader=$(cd "$tree" && echo usr/lib*/*/ld-linux*.so.* | cut -d' ' -f1)
  [ -e "$tree/$loader" ] || fail "the base has no loader"
  lacking=$(cd "$tree" && for file in usr/bin/dash usr/sbin/nft usr/sbin/xtables-*-multi usr/lib/*/*.so* usr/lib/*/xtables/*.so; do
    # the loader falls back to this machine's directories, so what it finds there is treated as lacking
    "$tree/$loader" --inhibit-cache --library-path "$(echo "$tree"/usr/lib/*-linux-*)" --list "./$file" 2>&1 |
      sed -n "s|^|$file: |; /not found\|cannot open\|=> /{/=> ${tree//\//\\/}\//!p}"
  done)
  [ -z "$lacking" ] || fail "the base lacks libraries:"$'\n'"$lacking"
}

command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || fail "the base comes from Debian packages: needs apt-get and dpkg-deb"
mkdir -p "$cache" "$out"
private_apt
resolve
cat "$0" "$cache/resolved" | sha256sum | cut -d' ' -f1 >"$out/key.new"
if cmp -s "$out/key.new" "$out/key"; then
  exit 0
fi
say "unpacking $(wc -l <"$cache/resolved") packages of Debian $release"
rm -rf "$out/tree" "$out/key"
mkdir -p "$out/tree"
download
unpack "$out/tree"
trust "$out/tree" "$out/trust"
strip_down "$out/tree"
furnish "$out/tree"
mv "$out/trust/ca-certificates.crt" "$out/tree/etc/ssl/certs/"
rm -rf "$out/trust"
record "$out/tree"
check_libraries "$out/tree"
mv "$out/key.new" "$out/key"
