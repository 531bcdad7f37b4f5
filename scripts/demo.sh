#!/usr/bin/env bash
# The agent at work, step by step: ./dev demo, or scripts/demo.sh AGENT_COMMAND... (what starts the agent, without
# arguments). Three network namespaces are the whole network: a pod, its node and the outside world. Every step checks
# its result; the first that fails ends the demo with its name and a non-zero code.
set -Eeuo pipefail

[ $# -gt 0 ] || { echo "usage: scripts/demo.sh AGENT_COMMAND..." >&2; exit 2; }
agent=("$@")

# ---------------------------------------------------------------------------------------------------- the network

pod=ipmasq-demo-$$-pod node=ipmasq-demo-$$-node world=ipmasq-demo-$$-world
pod_v4=10.244.1.2      pod_v6=fd00:244:1::2
gate_v4=10.244.1.1     gate_v6=fd00:244:1::1
node_v4=192.168.50.10  node_v6=2001:db8:50::10
world_v4=192.168.50.1  world_v6=2001:db8:50::1
chain=IP-MASQ-AGENT
tcp_port=7000 udp_port=7001 status_port=19180

# Addresses of the outside world, and what they stand for.
destinations=(10.10.10.10 10.20.30.40 169.254.169.254 203.0.113.7 fd00:10::10 2001:db8:7::7)
declare -A meaning=(
  [10.10.10.10]="a database that only knows nodes" [10.20.30.40]="another pod or private network"
  [169.254.169.254]="link-local: cloud metadata"   [203.0.113.7]="somewhere on the Internet"
  [fd00:10::10]="another pod, IPv6"                [2001:db8:7::7]="somewhere on the Internet, IPv6")

work=$(mktemp -d "${TMPDIR:-/tmp}/ip-masq-demo.XXXXXX")
log=$work/agent.log
agent_pid='' servers=() current='setting up'
export XTABLES_LOCKFILE=$work/xtables.lock # so that the demo and other users of iptables do not wait for each other

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  bold=$'\e[1m' dim=$'\e[2m' green=$'\e[32m' red=$'\e[31m' plain=$'\e[0m'
else
  bold='' dim='' green='' red='' plain=''
fi

tear_down() {
  local status=$? pid name waited
  trap - EXIT ERR INT TERM
  for pid in ${agent_pid:+"$agent_pid"} "${servers[@]}"; do
    kill "$pid" 2>/dev/null || true
  done
  for ((waited = 0; waited < 60; waited++)); do # three seconds to stop by themselves
    [ -n "$(jobs -rp)" ] || break
    sleep 0.05
  done
  # shellcheck disable=SC2046
  [ -z "$(jobs -rp)" ] || kill -KILL $(jobs -rp) 2>/dev/null || true
  for name in "$pod" "$node" "$world"; do
    [ ! -e "/run/netns/$name" ] || ip netns del "$name"
  done
  rm -rf "$work"
  exit "$status"
}
trap tear_down EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'fail "this command failed: $BASH_COMMAND"' ERR

fail() {
  trap - ERR
  printf '\n%sFAILED%s in step "%s": %s\n' "$red" "$plain" "$current" "$1" >&2
  [ ! -s "$log" ] || { echo "the agent's last lines:"; tail -n 8 "$log"; } >&2
  exit 1
}

step() { current=$1; printf '\n%s== %s%s\n' "$bold" "$1" "$plain"; }
tell() { printf '%s\n' "$@"; }
show() { sed "s/^/    ${dim}/; s/\$/${plain}/"; }
passed() { printf '%s  ok  %s%s\n' "$green" "$plain" "$1"; }

# wait_until SECONDS WHAT COMMAND...: looks often, goes on at once, gives up at the limit.
wait_until() {
  local limit=$1 what=$2 end
  shift 2
  end=$((${EPOCHREALTIME/[.,]/} + limit * 1000000))
  until "$@"; do
    [ "${EPOCHREALTIME/[.,]/}" -lt "$end" ] || fail "not within $limit s: $what"
    sleep 0.05
  done
}

in_ns() { local name=$1; shift; ip netns exec "$name" "$@"; }

build_network() {
  local name scope address
  for name in "$pod" "$node" "$world"; do
    ip netns add "$name"
    # without duplicate address detection addresses are usable at once
    in_ns "$name" sh -ec 'ip link set lo up
      for scope in all default; do
        echo 0 > /proc/sys/net/ipv6/conf/$scope/accept_dad
        echo 0 > /proc/sys/net/ipv4/conf/$scope/rp_filter
      done'
  done
  ip -n "$node" link add pods type veth peer name eth0 netns "$pod"
  ip -n "$node" link add eth0 type veth peer name eth0 netns "$world"
  wire "$pod" eth0 $pod_v4/24 $pod_v6/64
  wire "$node" pods $gate_v4/24 $gate_v6/64
  wire "$node" eth0 $node_v4/24 $node_v6/64
  wire "$world" eth0 $world_v4/24 $world_v6/64
  in_ns "$node" sh -ec 'echo 1 > /proc/sys/net/ipv4/ip_forward; echo 1 > /proc/sys/net/ipv6/conf/all/forwarding'
  route "$pod" $gate_v4 $gate_v6
  route "$node" $world_v4 $world_v6
  route "$world" $node_v4 $node_v6 # so that a pod's own address gets its answers too
  for address in "${destinations[@]}"; do
    ip -n "$world" addr add "$address" dev lo
  done
}

wire() {
  ip -n "$1" addr add "$3" dev "$2"
  ip -n "$1" addr add "$4" dev "$2"
  ip -n "$1" link set "$2" up
}

route() {
  ip -n "$1" route add default via "$2"
  ip -n "$1" -6 route add default via "$3"
}

# Servers that answer with the source address they see; UDP ones by address, so that they answer from that address.
open_world() {
  local address
  serve "TCP4-LISTEN:$tcp_port,reuseaddr,fork"
  serve "TCP6-LISTEN:$tcp_port,ipv6only,reuseaddr,fork"
  for address in "${destinations[@]}"; do
    case $address in
      *:*) serve "UDP6-RECVFROM:$udp_port,bind=[$address],ipv6only,fork" ;;
      *) serve "UDP4-RECVFROM:$udp_port,bind=$address,fork" ;;
    esac
  done
  wait_until 10 "the servers outside listen" servers_listen
}

serve() {
  # no function here: the pid must be that of socat itself. It reads before it answers, or the greeting breaks a pipe.
  ip netns exec "$world" socat "$1" 'SYSTEM:read -r hello; printenv SOCAT_PEERADDR' 2>>"$work/servers.log" &
  servers+=($!)
}

servers_listen() {
  [ "$(in_ns "$world" ss -Hltn "sport = :$tcp_port" | wc -l)" -eq 2 ] &&
    [ "$(in_ns "$world" ss -Hlun "sport = :$udp_port" | wc -l)" -eq ${#destinations[@]} ]
}

# ------------------------------------------------------------------------------------------------------ packets

# One line for each address given: ADDRESS TCP-SOURCE UDP-SOURCE, as the servers saw them.
packets() {
  in_ns "$pod" bash -c '
    probe() { # PROTOCOL ADDRESS PORT
      local seen=""
      # head, not read: that takes a byte at a time, and the rest of a datagram would be lost
      { exec 3<>"/dev/$1/$2/$3" && echo hello >&3 && seen=$(timeout 3 head -n 1 <&3); } 2>/dev/null
      echo "${seen:-nobody}"
    }
    tcp=$1 udp=$2
    shift 2
    for address; do
      echo "$address $(probe tcp "$address" "$tcp") $(probe udp "$address" "$udp")"
    done' packets $tcp_port $udp_port "$@"
}

# socat writes IPv6 as [2001:0db8:0050:0000:...]; this gives the usual short form.
short() {
  local text=${1#[} group zeros out=''
  text=${text%]}
  case $text in
    *:*)
      for group in ${text//:/ }; do out+=$(printf :%x "0x$group"); done
      for zeros in :0:0:0:0:0: :0:0:0:0: :0:0:0: :0:0:; do
        [[ $out != *$zeros* ]] || { out=${out/$zeros/::}; break; }
      done
      echo "${out#:}"
      ;;
    *) echo "$text" ;;
  esac
}

who() {
  case $1 in
    "$pod_v4" | "$pod_v6") echo "pod  $1" ;;
    "$node_v4" | "$node_v6") echo "node $1" ;;
    *) echo "???  $1" ;;
  esac
}

# expect ADDRESS=pod|node...: sends TCP and UDP to each and compares the source that its server saw.
expect() {
  local address tcp udp good mark wrong=0 row='  %-16s %-32s %-5s %-22s %-22s %s\n'
  declare -A wanted=()
  for address; do wanted[${address%=*}]=${address##*=}; done
  # a connection keeps the address it started with; only new ones are of interest here
  in_ns "$node" conntrack -F >/dev/null 2>&1
  # shellcheck disable=SC2059
  printf "\n$row" "the pod sends to" "which is" "want" "source seen, TCP" "source seen, UDP" ""
  while read -r address tcp udp; do
    tcp=$(who "$(short "$tcp")") udp=$(who "$(short "$udp")") good=${wanted[$address]} mark="${green}ok${plain}"
    [ "${tcp%% *}" = "$good" ] && [ "${udp%% *}" = "$good" ] || { mark="${red}WRONG${plain}"; wrong=1; }
    # shellcheck disable=SC2059
    printf "$row" "$address" "${meaning[$address]}" "$good" "$tcp" "$udp" "$mark"
  done < <(packets "${destinations[@]}")
  [ "$wrong" -eq 0 ] || fail "a packet left with another source address than the configuration wants"
}

# -------------------------------------------------------------------------------------------- agent and configuration

# Like the kubelet does for a mounted ConfigMap: a new directory, then the swap of one symbolic link.
edit_config() {
  local mount=$work/config data
  mkdir -p "$mount"
  data=$(mktemp -d "$mount/..edit.XXXXXX")
  cat >"$data/ip-masq-agent"
  ln -sfn "${data##*/}" "$mount/..data.new"
  mv -T "$mount/..data.new" "$mount/..data"
  [ -L "$mount/ip-masq-agent" ] || ln -s ..data/ip-masq-agent "$mount/ip-masq-agent"
}

run_agent() { in_ns "$node" "${agent[@]}" "$@"; }

options() { printf '%s\n' --config "$work/config/ip-masq-agent" --state-dir "$work/state" --profile cce; }

start_agent() {
  mapfile -t with < <(options)
  ip netns exec "$node" "${agent[@]}" run "${with[@]}" >>"$log" 2>&1 & # no function: the pid must be the agent's
  agent_pid=$!
  wait_until 20 "the agent's first rules" logged 'rules in place'
  wait_until 20 "the agent answers on port $status_port" status_says '"inSync" *: *true'
  [[ $(status) =~ iptables-(nft|legacy) ]] || fail "the status names no backend"
  backend=${BASH_REMATCH[0]}
}

logged() {
  kill -0 "$agent_pid" 2>/dev/null || fail "the agent has ended"
  grep -qE -- "$1" "$log"
}

status() { in_ns "$node" curl -fsS --max-time 3 "http://127.0.0.1:$status_port/status"; }
status_says() { [[ $(status 2>/dev/null) =~ $1 ]]; }

tool() { in_ns "$node" "${1}${backend#iptables}" -w 5 -t nat "${@:2}"; }
rules() { tool iptables -S $chain 2>/dev/null; }
all_rules() { tool iptables -S; tool ip6tables -S; }
has_rule() { grep -qE -- "$1" <<<"$(rules)"; }

show_chain() {
  tell "iptables -t nat -S $chain   (IPv6 has its own)"
  rules | sed 's/ -m comment --comment "[^"]*"//' | show
}

# landed WHAT CONDITION...: waits for it and prints how long that took.
landed() {
  local start=${EPOCHREALTIME/[.,]/} what=$1
  shift
  wait_until 5 "$what" "$@"
  passed "$what, $(((${EPOCHREALTIME/[.,]/} - start) / 1000)) ms later"
}

config() { # MASQ_OUT_BOUND [MASQUERADE_CIDR]
  [ -z "${2:-}" ] || printf 'masqueradeCIDRs:\n  - %s\n' "$2"
  cat <<EOF
nonMasqueradeCIDRs:
  - 10.0.0.0/8
  - 172.16.0.0/12
  - 100.64.230.0/24
  - 192.168.0.0/16
  - fc00::/7
masqOutBound: $1
masqOutBoundIPv6: true
masqLinkLocal: false
masqLinkLocalIPv6: false
resyncInterval: 1s
EOF
}

# ---------------------------------------------------------------------------------------------------- the steps

for command in ip socat ss curl conntrack; do
  command -v "$command" >/dev/null || fail "$command is missing"
done
[ "$(id -u)" -eq 0 ] || fail "network namespaces need root"

tell "${bold}Whose address does a pod's packet carry when it leaves the node?${plain}" \
  "ip-masq-agent decides that for each destination: the pod's own address or the node's." \
  "The network: a pod ($pod_v4, $pod_v6) behind a node ($node_v4, $node_v6)," \
  "and servers outside that answer every packet with the source address they saw."
build_network
open_world

step "1. Pod identity: everything IPv4 keeps the pod's address"
tell "The configuration, as in the ConfigMap cce-ip-masq-agent:"
config false | edit_config
show <"$work/config/ip-masq-agent"
start_agent
passed "agent started: $(grep -m 1 -oE 'rules in place [0-9]+ ms after process start' "$log") ($backend)"
show_chain
expect 10.10.10.10=pod 10.20.30.40=pod 169.254.169.254=pod 203.0.113.7=pod fd00:10::10=pod 2001:db8:7::7=node

step "2. Node identity: the Internet sees the node, private networks see the pod"
tell "The running agent's configuration is edited: masqOutBound: true"
config true | edit_config
landed "a last rule masquerades the rest" has_rule "must be last in chain.* -j MASQUERADE"
show_chain
expect 10.10.10.10=pod 10.20.30.40=pod 169.254.169.254=pod 203.0.113.7=node fd00:10::10=pod 2001:db8:7::7=node

step "3. Specific addresses: one database sees the node, everything else in IPv4 the pod"
tell "Edited again: masqOutBound: false, and masqueradeCIDRs: [10.10.10.10/32]"
config false 10.10.10.10/32 | edit_config
landed "10.10.10.10 comes first in the chain" has_rule "-A $chain -d 10.10.10.10/32 .*-j MASQUERADE"
! has_rule "must be last in chain" || fail "the rule for the rest is still there"
show_chain
expect 10.10.10.10=node 10.20.30.40=pod 169.254.169.254=pod 203.0.113.7=pod fd00:10::10=pod 2001:db8:7::7=node

step "4. Somebody breaks the rules: the agent heals them"
all_rules >"$work/before"
tell "iptables -t nat -F $chain, and the jump to it deleted, IPv6 too:"
for family in iptables ip6tables; do # in one transaction, or the agent heals the first before the second is broken
  in_ns "$node" "$family${backend#iptables}-restore" -w 5 --noflush <<<"*nat
-F $chain
-D POSTROUTING 1
COMMIT"
done
! cmp -s "$work/before" <(all_rules) || fail "the rules are not broken"
same_as_before() { cmp -s "$work/before" <(all_rules); }
landed "every rule is back, byte for byte" same_as_before
wait_until 5 "the agent logs it" logged 'IPv6 drift healed'
grep -E 'drift healed' "$log" | show
expect 10.10.10.10=node 10.20.30.40=pod 169.254.169.254=pod 203.0.113.7=pod fd00:10::10=pod 2001:db8:7::7=node

step "5. A broken edit: reported with line and fix, and the rules stay"
broken() {
  cat <<'EOF'
# two mistakes: a text where a list belongs, and a CIDR that is no network
masqueradeCIDRs: 10.10.10.10/32
nonMasqueradeCIDRs:
  - 10.0.0.0/8
  - 172.16.0.0/12
  - fc00::/7
  - 10.1.2.3/8
masqOutBound: true
EOF
}
broken | cat -n | show
broken | edit_config
landed "the agent has rejected it" logged 'not valid and not used'
wait_until 5 "the message about line 7" logged 'line 7.*10\.0\.0\.0/8'
tell "The agent's log:"
grep -A 2 -E 'not valid and not used' "$log" | show
tell "The same check before an edit reaches a node, in an editor or a pipeline: ip-masq-agent check FILE"
code=0
run_agent check "$work/config/ip-masq-agent" >"$work/check" 2>&1 || code=$?
sed "s|$work/config/||" "$work/check" | show
[ "$code" -eq 3 ] || fail "check exited with $code instead of 3 (invalid configuration)"
for part in 'line 7' 'line 2' '10.0.0.0/8'; do
  grep -qF -- "$part" "$work/check" || fail "check does not print $part"
done
same_as_before || fail "the rules have changed"
passed "the rules are as before"
tool iptables -F $chain
landed "the last good configuration is still enforced: the flushed rules are back" same_as_before
expect 10.10.10.10=node 10.20.30.40=pod 169.254.169.254=pod 203.0.113.7=pod fd00:10::10=pod 2001:db8:7::7=node
status_says '"ConfigInvalid"' || fail "the status does not report ConfigInvalid"
config false 10.10.10.10/32 | edit_config
landed "the edit is reverted, and the configuration is valid again" status_says '"state" *: *"loaded"'

step "6. explain shows the reason, status the state"
mapfile -t with < <(options)
tell "ip-masq-agent explain ${destinations[*]}"
run_agent explain "${with[@]}" "${destinations[@]}" | tee "$work/explain" | show
for part in "10.10.10.10.*$node_v4" "203.0.113.7.*pod" "2001:db8:7::7.*$node_v6"; do
  grep -qE -- "$part" "$work/explain" || fail "explain does not print: $part"
done
tell "ip-masq-agent status"
run_agent status "${with[@]}" | tee "$work/status" | show
passed "in sync"

printf '\n%sAll steps passed in %s seconds.%s The network is removed; this machine has not been changed.\n' \
  "$bold" "$SECONDS" "$plain"
