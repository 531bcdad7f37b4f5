#!/usr/bin/env bash
# A real kube-apiserver for tests, from Debian alone: see usage below. It is 1.20, the newest that Debian 12 has.
set -euo pipefail

cache=${IP_MASQ_KUBE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ip-masq-kube}
bin=$cache/bin
version=v1.20.2
debian_go=/usr/lib/go/bin # not whichever is on PATH: newer ones do not compile this source

usage() {
  cat <<'USAGE'
usage: scripts/kube-apiserver.sh COMMAND

  build                                   make sure that kube-apiserver, etcd, etcdctl and kubectl are there
                                          (minutes once; kept in ${XDG_CACHE_HOME:-~/.cache}/ip-masq-kube)
  check                                   whether they are there and run; silent when so
  start STATE_DIR [API_PORT [ETCD_PORT]]  both on 127.0.0.1 of this network namespace, whose lo must be up;
                                          default ports 16443 and 12379, the one after that is etcd's too
  stop STATE_DIR [--wipe]                 end both; with --wipe at once, and STATE_DIR goes with all it holds
  stop-apiserver STATE_DIR                end the API server only
  start-apiserver STATE_DIR               start it again on the same data, in the same network namespace
  restart-apiserver STATE_DIR             one after the other
  compact STATE_DIR                       make etcd forget all but the newest revision, so that old ones get 410 Gone
  kubectl                                 print the path of the kubectl to use

STATE_DIR/admin.kubeconfig is for an administrator once start has returned.
USAGE
}

say() { printf 'kube: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# ---------------------------------------------------------------------------------------------------- the programs

kubectl_path() {
  command -v kubectl || { [ -x "$bin/kubectl" ] && echo "$bin/kubectl"; }
}

complete() { [ -z "$(lacking)" ]; }

# What is missing, a line each.
lacking() {
  local tool
  [ "$("$bin/kube-apiserver" --version 2>/dev/null)" = "Kubernetes $version" ] || echo "no kube-apiserver $version"
  "$bin/etcd" --version >/dev/null 2>&1 || echo "no etcd"
  "$bin/etcdctl" version >/dev/null 2>&1 || echo "no etcdctl"
  kubectl_path >/dev/null || echo "no kubectl"
  for tool in curl openssl setsid; do
    command -v "$tool" >/dev/null || echo "no $tool"
  done
}

build() {
  complete && return 0
  mkdir -p "$bin"
  exec 9>"$cache/lock"
  flock --nonblock 9 || { say "waiting for another build" && flock 9; }
  complete && return 0
  work=$cache/build
  sources=/etc/apt/sources.list.d/ip-masq-kube-src.sources added=''
  trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"; [ -z "$added" ] || rm -f "$sources"' EXIT
  rm -rf "$work"
  mkdir -p "$work"
  command -v apt-get >/dev/null || fail "building needs Debian 12 (apt-get)"
  local began=$SECONDS
  install_tools
  take_from_packages
  if [ "$("$bin/kube-apiserver" --version 2>/dev/null)" != "Kubernetes $version" ]; then
    unpack_source
    compile
  fi
  complete || fail "the build ended, but programs are missing: $(lacking)"
  say "built in $((SECONDS - began)) s: $(stat -c %s "$bin/kube-apiserver") bytes"
}

install_tools() {
  local missing=() pair
  for pair in "$debian_go/go:golang-go" dpkg-source:dpkg-dev openssl:openssl curl:curl; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
  done
  if [ "$(id -u)" -eq 0 ]; then
    add_sources
    apt-get update -qq >&2
  fi
  [ ${#missing[@]} -eq 0 ] && return 0
  [ "$(id -u)" -eq 0 ] || fail "missing: ${missing[*]}; install them (sudo apt-get install ${missing[*]}) or build as root"
  say "installing ${missing[*]}"
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# Source packages, where the machine has none configured: the same archives in a separate file, for this build only.
add_sources() {
  [ -z "$(apt-get indextargets 'Created-By: Sources')" ] || return 0
  added=yes
  {
    local file
    for file in /etc/apt/sources.list.d/*.sources; do
      [ "$file" = "$sources" ] || [ ! -e "$file" ] || { sed 's/^Types:.*/Types: deb-src/' "$file" && echo; }
    done
    # the one-line style of older installations
    sed -n -E 's/^deb +(\[[^]]*\] +)?([^ ]+) +([^ ]+) +(.*)/Types: deb-src\nURIs: \2\nSuites: \3\nComponents: \4\n/p' \
      /etc/apt/sources.list 2>/dev/null || true
  } >"$sources"
}

# Programs that need no building are unpacked, not installed: the package would start a service of its own.
take_from_packages() {
  local package packages=(etcd-server etcd-client golang-github-modern-go-reflect2-dev)
  kubectl_path >/dev/null || packages+=(kubernetes-client)
  (cd "$work" && apt-get download -qq "${packages[@]}" 2>&1 | sed '/unsandboxed/d' >&2)
  for package in "$work"/*.deb; do
    dpkg-deb -x "$package" "$work/packages"
  done
  for package in etcd etcdctl kubectl; do
    [ ! -e "$work/packages/usr/bin/$package" ] || install "$work/packages/usr/bin/$package" "$bin/"
  done
}

# Into a GOPATH, since this source has no complete set of modules.
unpack_source() {
  source=$work/gopath/src/k8s.io/kubernetes
  mkdir -p "${source%/*}"
  say "fetching the source"
  (cd "$work" && apt-get source -qq --download-only kubernetes 2>&1 | sed '/unsandboxed/d' >&2)
  [ -n "$(find "$work" -maxdepth 1 -name 'kubernetes_1.20.*.dsc')" ] || fail "only Debian 12 has the source of $version"
  # apt has checked where it comes from
  dpkg-source --no-check -x "$work"/kubernetes_*.dsc "$source" >"$work/unpack.log" 2>&1 || {
    cat "$work/unpack.log" >&2
    fail "unpacking failed"
  }
  # the reflect2 that comes with the source reads map internals that Go 1.18 changed, and crashes on the first POST
  rm -rf "$source/vendor/github.com/modern-go/reflect2"
  cp -R "$work/packages/usr/share/gocode/src/github.com/modern-go/reflect2" "$source/vendor/github.com/modern-go/"
}

compile() {
  export GO111MODULE=off GOPATH=$work/gopath GOCACHE=$work/gocache GOTMPDIR=$work GOPROXY=off GOFLAGS='' CGO_ENABLED=0
  local module=k8s.io/kubernetes flags='-s -w' package
  cd "$source"
  unset GOROOT
  PATH=$debian_go:$PATH
  say "generating the OpenAPI definitions, which the source package lacks"
  go build -o "$work/openapi-gen" $module/vendor/k8s.io/kube-openapi/cmd/openapi-gen
  "$work/openapi-gen" --logtostderr --input-dirs "$(openapi_packages)" \
    --output-package $module/pkg/generated/openapi --output-file-base zz_generated.openapi \
    --go-header-file vendor/k8s.io/code-generator/hack/boilerplate.go.txt --report-filename "$work/violations"
  say "compiling, which takes minutes"
  for package in component-base client-go/pkg; do
    package=$module/vendor/k8s.io/$package/version
    flags+=" -X $package.gitVersion=$version -X $package.gitMajor=1 -X $package.gitMinor=20 -X $package.gitTreeState=clean"
  done
  # without cloud providers and Docker, which no test needs
  go build -tags providerless,dockerless -trimpath -ldflags "$flags" -o "$work/kube-apiserver" $module/cmd/kube-apiserver
  mv "$work/kube-apiserver" "$bin/"
  cd /
}

# Every package whose types need an OpenAPI definition, separated by commas.
openapi_packages() {
  grep -rlF --include='*.go' '+k8s:openapi-gen=' pkg staging/src/k8s.io |
    grep -Ev '(_test\.go|zz_generated[^/]*)$|/(code-generator|sample-apiserver)/' |
    sed -E 's#/[^/]*$##; s#^staging/src/#vendor/#; s#^#k8s.io/kubernetes/#' | LC_ALL=C sort -u | paste -sd,
}

# ---------------------------------------------------------------------------------------------------- running them

# started PID: when it was started, in ticks since boot; nothing for a process that has ended.
started() {
  local stat fields
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
  read -ra fields <<<"${stat##*) }"
  [ "${fields[0]}" = Z ] || echo "${fields[19]}"
}

# alive NAME: whether the process in NAME.pid runs, and is not another that was given the same number later.
alive() {
  local pid='' since=''
  { read -r pid since <"$state/$1.pid"; } 2>/dev/null && [ -n "$since" ] && [ "$(started "$pid")" = "$since" ]
}

# end NAME SIGNAL: does nothing when NAME does not run. After two seconds it sends SIGKILL: an API server with open
# watches takes longer than that.
end() {
  local waited pid
  if alive "$1"; then
    read -r pid _ <"$state/$1.pid"
    kill "-$2" "$pid" 2>/dev/null || true
    for ((waited = 0; waited < 40; waited++)); do
      alive "$1" || break
      sleep 0.05
    done
    ! alive "$1" || kill -KILL "$pid" 2>/dev/null || true
  fi
  rm -f "$state/$1.pid"
}

# launch NAME PROGRAM...: detached from this shell's terminal and pipes, so that it outlives the caller.
launch() {
  local name=$1
  shift
  setsid "$@" </dev/null >>"$state/$name.log" 2>&1 9>&- &
  echo "$! $(started $!)" >"$state/$name.pid"
  disown
}

# await SECONDS NAME COMMAND...: until the command succeeds; fails when NAME ends before that, or at the limit.
await() {
  local limit=$1 name=$2 deadline
  shift 2
  deadline=$((${EPOCHREALTIME/[.,]/} + limit * 1000000))
  until "$@" >/dev/null 2>&1; do
    alive "$name" || fail "$name ended: $(tail -n 5 "$state/$name.log")"
    [ "${EPOCHREALTIME/[.,]/}" -lt $deadline ] || fail "$name was not ready within $limit s: $(tail -n 5 "$state/$name.log")"
    sleep 0.05
  done
}

free() {
  local answer
  if answer=$( (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>&1); then fail "port $1 on 127.0.0.1 is taken"; fi
  case $answer in
    *unreachable*) fail "127.0.0.1 is unreachable here: ip link set lo up" ;;
  esac
}

ask() {
  curl -sf --noproxy '*' --max-time 5 --cacert "$state/ca.crt" -H "Authorization: Bearer $(cat "$state/admin.token")" \
    "https://127.0.0.1:$api_port$1"
}

etcdctl() { "$bin/etcdctl" --endpoints="http://127.0.0.1:$etcd_port" --command-timeout=10s "$@"; }

make_keys() {
  local curve=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes)
  (
    umask 077
    cd "$state"
    exec 2>openssl.log
    openssl ecparam -name prime256v1 -genkey -noout -out sa.key
    openssl ec -in sa.key -pubout -out sa.pub
    openssl req -x509 "${curve[@]}" -days 30 -subj /CN=ip-masq-test-ca -keyout ca.key -out ca.crt \
      -addext keyUsage=critical,keyCertSign,cRLSign
    openssl req "${curve[@]}" -subj /CN=kube-apiserver -keyout tls.key -out tls.csr
    openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -out tls.crt -extfile /dev/stdin <<<"
subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes.default.svc
extendedKeyUsage=serverAuth"
    openssl rand -hex 16 >admin.token
    echo "$(cat admin.token),admin,admin,system:masters" >tokens.csv
  ) || fail "cannot make keys: $(cat "$state/openssl.log")"
  # one line per request with the caller's user agent, which is not in the API server's metrics
  cat >"$state/audit-policy.yaml" <<'YAML'
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
YAML
}

start_etcd() {
  local peer=http://127.0.0.1:$((etcd_port + 1)) client=http://127.0.0.1:$etcd_port
  launch etcd "$bin/etcd" --name=test --data-dir="$state/etcd" --logger=zap \
    --listen-client-urls="$client" --advertise-client-urls="$client" --listen-peer-urls="$peer" \
    --initial-advertise-peer-urls="$peer" --initial-cluster="test=$peer"
  await 30 etcd etcdctl endpoint health
}

start_apiserver() {
  ! alive apiserver || fail "the API server already runs"
  alive etcd || fail "etcd does not run; start, not start-apiserver"
  free "$api_port"
  launch apiserver "$bin/kube-apiserver" --etcd-servers="http://127.0.0.1:$etcd_port" --bind-address=127.0.0.1 \
    --advertise-address=127.0.0.1 --secure-port="$api_port" --endpoint-reconciler-type=none \
    --service-cluster-ip-range=10.96.0.0/24 --authorization-mode=RBAC --anonymous-auth=true \
    --tls-cert-file="$state/tls.crt" --tls-private-key-file="$state/tls.key" --client-ca-file="$state/ca.crt" \
    --token-auth-file="$state/tokens.csv" --api-audiences=https://kubernetes.default.svc \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$state/sa.pub" \
    --service-account-signing-key-file="$state/sa.key" \
    --audit-policy-file="$state/audit-policy.yaml" --audit-log-path="$state/audit.log"
  await 90 apiserver ask /readyz
  await 30 apiserver ask /api/v1/namespaces/kube-system # made by the API server itself, a moment later
}

write_kubeconfig() {
  (
    umask 077
    cat >"$state/admin.kubeconfig" <<YAML
apiVersion: v1
kind: Config
clusters:
- name: test
  cluster:
    server: https://127.0.0.1:$api_port
    certificate-authority-data: $(base64 -w0 "$state/ca.crt")
users:
- name: admin
  user:
    token: $(cat "$state/admin.token")
contexts:
- name: test
  context: {cluster: test, user: admin, namespace: kube-system}
current-context: test
YAML
  )
}

start() {
  # stop --wipe removes it all
  [ -f "$state/ports" ] || [ -z "$(ls -A "$state" 2>/dev/null)" ] || fail "$state contains other files"
  ! alive etcd && ! alive apiserver || fail "already running in $state"
  mkdir -p "$state"
  echo "$api_port $etcd_port" >"$state/ports"
  complete || fail "programs are missing: run scripts/kube-apiserver.sh build"
  free "$api_port"
  free "$etcd_port"
  free $((etcd_port + 1))
  trap 'end apiserver KILL; end etcd KILL' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  [ -f "$state/audit-policy.yaml" ] || make_keys
  start_etcd
  start_apiserver
  write_kubeconfig
  trap - EXIT INT TERM
}

stop() {
  if [ "${1:-}" = --wipe ]; then
    end apiserver KILL
    end etcd KILL
    [ ! -f "$state/ports" ] || rm -rf "$state"
  else
    end apiserver TERM
    end etcd TERM
  fi
}

compact() {
  local revision
  revision=$(etcdctl endpoint status --write-out=fields | sed -n 's/^"Revision" : //p')
  [ -n "$revision" ] || fail "etcd did not report its revision"
  etcdctl compaction --physical "$revision" >/dev/null
}

command=${1:-}
case $command in
  build)
    build
    exit
    ;;
  check)
    missing=$(lacking)
    [ -z "$missing" ] || fail "$missing"
    exit
    ;;
  kubectl)
    kubectl_path
    exit
    ;;
  start | stop | stop-apiserver | start-apiserver | restart-apiserver | compact) ;;
  help | -h | --help)
    usage
    exit
    ;;
  *)
    usage >&2
    exit 2
    ;;
esac

[ -n "${2:-}" ] || fail "STATE_DIR is missing: scripts/kube-apiserver.sh $command STATE_DIR"
state=$(realpath -m -- "$2")
api_port=16443 etcd_port=12379
[ "$command" = start ] || [ ! -f "$state/ports" ] || read -r api_port etcd_port <"$state/ports"
case $command in
  start)
    api_port=${3:-$api_port} etcd_port=${4:-$etcd_port}
    start
    ;;
  stop) stop "${3:-}" ;;
  stop-apiserver) end apiserver TERM ;;
  start-apiserver) start_apiserver ;;
  restart-apiserver)
    end apiserver TERM
    start_apiserver
    ;;
  compact) compact ;;
esac
