#!/usr/bin/env bash
# Cost of a pass, side by side with the classic loop, each variant in a network namespace of its own.
# usage: bench.sh JAVA CLASSPATH [MOST_ENTRIES]
set -euo pipefail
java=$1
classpath=$2
most=${3:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat <<'EOF'
Means per cycle, both families. CPU is of the process and its children together, from the kernel's 10 ms ticks.
The classic loop (ensure chain, ensure jump, restore the whole chain) is replayed with the plain tools in the same run;
its own process' CPU is not counted. Times on a shared machine are noise: read the ratios, calls and bytes.

variant entries  what                        wall ms    cpu ms  calls  bytes in     wall/c  cpu/c
EOF
for variant in nft legacy; do
  XTABLES_LOCKFILE=$work/lock unshare --net sh -c 'ip link set lo up; exec "$@"' sh \
    "$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx512m --enable-native-access=ALL-UNNAMED -cp "$classpath" net.ipmasq.bench.PassBench "$variant" "$most"
done
