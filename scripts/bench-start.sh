#!/usr/bin/env bash
# How fast the agent starts, form by form, beside the classic agent: a table in Markdown. ./dev bench start is the way in.
# usage: bench-start.sh ROUNDS JAR CACHE BINARY -- JAVA FLAG...      a form whose file is not there is left out, by name
# Rounds are interleaved; each start is in a namespace of its own, which is made and removed outside of the measured time.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
rounds=$1 jar=$2 cache=$3 binary=$4
shift 5
java=("$@")
work=$(mktemp -d)
ns=ipmasq-bench-$$
trap 'ip netns delete "$ns" 2>/dev/null || true; rm -rf "$work"' EXIT

gcc -O2 -Wall -Wextra -Werror "$here/bench-start.c" -o "$work/bench-start"
printf 'nonMasqueradeCIDRs: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, "fd00:10::/32"]\nmasqOutBoundIPv6: true\n' >"$work/config"

# the same rules, as the classic agent gives them to iptables-restore
rules() {
  local chain=IP-MASQ-AGENT cidr
  printf '*nat\n:%s - [0:0]\n' $chain
  for cidr in "$@"; do printf -- '-A %s -d %s -m comment --comment "ip-masq-agent: local traffic is not subject to MASQUERADE" -j RETURN\n' $chain "$cidr"; done
  printf -- '-A %s -m comment --comment "ip-masq-agent: outbound traffic is subject to MASQUERADE (must be last in chain)" -j MASQUERADE\nCOMMIT\n' $chain
}
rules 169.254.0.0/16 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 >"$work/rules4"
rules fe80::/10 fd00:10::/32 >"$work/rules6"

# one NAME WATCH_OPTION... -- PROGRAM...: one start; adds a line to the file of that name
one() {
  local name=$1 line
  shift
  ip netns add "$ns"
  ip -n "$ns" link set lo up
  rm -rf "$work/state"
  line=$(ip netns exec "$ns" "$work/bench-start" watch "$@") || { echo "bench: $name failed" >&2; exit 1; }
  echo "$line" >>"$work/$name"
  ip netns delete "$ns"
}

arguments() { printf '%s\n' run --backend "$1" --config "$work/config" --state-dir "$work/state"; }

if [ -n "${IP_MASQ_GO_AGENT:-}" ]; then
  classic="the program that IP_MASQ_GO_AGENT names"
else
  classic="a C program that makes its calls in its order"
fi
for ((round = 0; round <= rounds; round++)); do
  if [ -n "${IP_MASQ_GO_AGENT:-}" ]; then
    one "iptables:classic agent" --once -- timeout --signal=KILL 2 "$IP_MASQ_GO_AGENT"
  else
    one "iptables:classic agent" --once -- "$work/bench-start" classic "$work/rules4" "$work/rules6"
  fi
  for backend in iptables nftables; do
    mapfile -t run < <(arguments $backend)
    [ ! -x "$binary" ] || one "$backend:native" -- "$binary" "${run[@]}"
    one "$backend:JVM with start-up cache" -- "${java[@]}" "-XX:AOTCache=$cache" -Xlog:aot=off -Xlog:aot+resolve=off -jar "$jar" "${run[@]}"
    one "$backend:JVM" -- "${java[@]}" -XX:AOTMode=off -jar "$jar" "${run[@]}"
  done
  # the first round warms the page cache
  [ $round -gt 0 ] || rm "$work"/*:*
done
[ -x "$binary" ] || echo "bench: no native binary (./dev native), so it is not in the table" >&2

# column N of a file: median (least-most)
column() {
  cut -f "$2" "$1" | sort -g | awk -v unit="$3" '
    { value[NR] = $1 / (unit == "MB" ? 1024 : 1) }
    END {
      median = NR % 2 ? value[(NR + 1) / 2] : (value[NR / 2] + value[NR / 2 + 1]) / 2
      if (value[NR] == 0) print "–"; else printf "%.0f (%.0f-%.0f)\n", median, value[1], value[NR]
    }'
}
middle() { cut -f 1 "$1" | sort -g | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

base=$(middle "$work/iptables:classic agent")
printf '%s rounds; the classic agent is %s.\n\n' "$rounds" "$classic"
printf '| backend | form | last rule, ms | to classic | ready, ms | CPU, ms | RSS, MB | private, MB |\n|---|---|---:|---:|---:|---:|---:|---:|\n'
for file in "iptables:classic agent" {iptables,nftables}:{native,"JVM with start-up cache",JVM}; do
  [ -f "$work/$file" ] || continue
  printf '| %s | %s | %s | %.2f | %s | %s | %s | %s |\n' "${file%%:*}" "${file#*:}" "$(column "$work/$file" 1 ms)" \
    "$(echo "$(middle "$work/$file") $base" | awk '{ print $1 / $2 }')" "$(column "$work/$file" 2 ms)" "$(column "$work/$file" 3 ms)" \
    "$(column "$work/$file" 4 MB)" "$(column "$work/$file" 5 MB)"
done
