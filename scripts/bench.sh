#!/usr/bin/env bash
# What the agent costs. Everything happens in network namespaces of its own.
# usage: bench.sh JAVA CLASSPATH [pass] [MOST_ENTRIES]
#        bench.sh JAVA CLASSPATH flows [MOST_ENTRIES] [--svg [FILE]]
set -euo pipefail
java=$1
classpath=$2
shift 2
what=pass
case ${1:-} in
  pass | flows)
    what=$1
    shift
    ;;
esac
flags=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m --enable-native-access=ALL-UNNAMED)

# A pass, side by side with the classic loop, for each variant.
pass() {
  local variant
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cat <<'TEXT'
Means per cycle, both families. CPU is of the process and its children together, from the kernel's 10 ms ticks.
The classic loop (ensure chain, ensure jump, restore the whole chain) is replayed with the plain tools in the same run;
its own process' CPU is not counted. Times on a shared machine are noise: read the ratios, calls and bytes.

variant  entries  what                        wall ms    cpu ms  calls  bytes in     wall/c  cpu/c
TEXT
  for variant in nft legacy nftables; do
    XTABLES_LOCKFILE=$work/lock unshare --net sh -c 'ip link set lo up; exec "$@"' sh \
      "$java" "${flags[@]}" -cp "$classpath" net.ipmasq.bench.PassBench "$variant" "${1:-100000}"
  done
}

flows() {
  cat <<'TEXT'
Flows: time of one UDP packet of a new flow through the node, IPv4, the least of all rounds' medians. "No match" goes past
every entry and is masqueraded, "last match" is exempted by the last one. List: "load" writes the whole into an empty
namespace; "read" and "update" are what a pass does to add one entry. Median times, with the start of the tools; mean CPU of
the tools, from the kernel's 10 ms ticks. Times on a shared machine are noise: read the ratios and bytes.

TEXT
  exec "$java" "${flags[@]}" -cp "$classpath" net.ipmasq.bench.FlowBench "$@"
}

"$what" "$@"
