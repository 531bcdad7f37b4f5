#!/usr/bin/env bash
# Makes the start-up cache of the agent by a real run in a network namespace of its own.
# usage: train.sh [--root DIR] CACHE JAVA FLAG... -- JAR
# With --root the agent runs with DIR as its root directory, as in a container: DIR must have the programs and libraries,
# and CACHE, JAVA and JAR are paths in it.
set -euo pipefail
root=''
if [ "$1" = --root ]; then
  root=$2
  shift 2
fi
cache=$1
shift
java=()
while [ "$1" != -- ]; do
  java+=("$1")
  shift
done
jar=$2
if [ "$(id -u)" -eq 0 ]; then
  isolate=(unshare --net)
else
  isolate=(unshare --user --map-root-user --net)
fi
# the mounts below DIR vanish with the namespace, however this ends
[ -z "$root" ] || isolate+=(--mount)
work=$(mktemp -d ${root:+"$root/tmp/train.XXXXXX"})
trap 'rm -rf "$work"' EXIT
cat >"$work/run.sh" <<'EOF'
set -eu
ip link set lo up
root=$1
work=$2
shift 2
seen=${work#"$root"}
if [ -n "$root" ]; then
  mount --make-rprivate /
  mount --rbind /dev "$root/dev"
  mount --rbind /proc "$root/proc"
  set -- chroot "$root" "$@"
  # the image's tools, since this machine's may be of the other variant or missing
  iptables() { chroot "$root" iptables-nft "$@"; }
  nft() { chroot "$root" nft "$@"; }
fi
export XTABLES_LOCKFILE=$seen/lock
printf 'nonMasqueradeCIDRs: [10.0.0.0/8, "fd00::/8"]\nmasqueradeCIDRs: [10.9.9.9/32]\nresyncInterval: 1s\n' >"$work/config"
"$@" run --backend auto --config "$seen/config" --state-dir "$seen/state" 2>"$work/log" &
pid=$!
up() { curl -sf http://127.0.0.1:19180/q/health/ready >/dev/null 2>&1; }
tries=0
until up; do
  tries=$((tries + 1))
  if [ "$tries" -gt 300 ] || ! kill -0 "$pid" 2>/dev/null; then
    cat "$work/log" >&2
    exit 1
  fi
  sleep 0.1
done
curl -sf http://127.0.0.1:19180/q/metrics >/dev/null
curl -sf http://127.0.0.1:19180/status >/dev/null
printf 'nonMasqueradeCIDRs: [10.0.0.0/8]\nresyncInterval: 1s\n' >"$work/config"
iptables -t nat -F POSTROUTING
healed() { iptables -t nat -S POSTROUTING | grep -q -- '-j IP-MASQ-AGENT'; }
tries=0
until healed; do
  tries=$((tries + 1))
  [ "$tries" -le 100 ] || exit 1
  sleep 0.1
done
# A node whose kube-proxy moves to nftables: each healing is a pass, and after some passes the agent checks the backend and
# follows, so that the cache has the classes of that backend too.
nft add table ip kube-proxy
tries=0
until nft list table ip ip-masq-agent >/dev/null 2>&1; do
  iptables -t nat -F POSTROUTING
  tries=$((tries + 1))
  [ "$tries" -le 100 ] || exit 1
  sleep 0.1
done
nft flush table ip ip-masq-agent
tries=0
until nft list table ip ip-masq-agent | grep -q 'jump IP-MASQ-AGENT'; do
  tries=$((tries + 1))
  [ "$tries" -le 100 ] || exit 1
  sleep 0.1
done
kill -TERM "$pid"
wait "$pid" || [ $? -eq 143 ]
EOF
rm -f "$root$cache"
if ! "${isolate[@]}" sh "$work/run.sh" "$root" "$work" "${java[@]}" "-XX:AOTCacheOutput=$cache" -jar "$jar" >"$work/out" 2>&1; then
  cat "$work/out" >&2
  echo "train.sh: the training run failed" >&2
  exit 1
fi
[ -s "$root$cache" ] || {
  cat "$work/out" >&2
  echo "train.sh: no cache was written" >&2
  exit 1
}
