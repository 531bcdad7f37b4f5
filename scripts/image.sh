#!/usr/bin/env bash
# Makes the container image, as an OCI layout in a tar, from what is packaged in target/quarkus-app.
# usage: image.sh --native BINARY | image.sh -- JVM_FLAG...       (JAVA_HOME is the JDK; ./dev image is the usual way in)
# Result in target/image (of a JVM: target/image-jvm): ip-masq-agent.oci.tar, packages.txt, digest. Layers, lowest first:
#   base  files of Debian packages              scripts/image-base.sh
#   jre   a Java runtime of the modules in use  /opt/jre, of a JVM only
#   app   the native binary with the shared libraries beside it, or the application with its start-up cache:
#         /opt/ip-masq-agent, and its other names
# The lower two are kept in IP_MASQ_IMAGE_CACHE (~/.cache/ip-masq-image) by what they are made from.
set -euo pipefail
umask 022
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$project/scripts/oci-layout.sh"

# What jdeps finds, less what only unused parts of libraries name (java.desktop, java.sql, java.compiler, jdk.compiler).
modules=java.base,java.logging,java.management,java.naming,jdk.management,jdk.unsupported
# Jars that only the operator's program ip-masq-fleet uses, which no node runs.
left_out=('com.github.zafarkhaja.*' 'com.marcnuri.helm-java.*' 'net.java.dev.jna.*' 'com.networknt.*' 'com.ethlo.time.*'
  'org.apache.commons.*' 'commons-*')
home=/opt/ip-masq-agent
port=19180

binary='' jre=''
if [ "${1:-}" = --native ]; then
  binary=$2
  shift 2
fi
[ "${1:-}" = -- ] || [ -n "$binary" ] || { echo "usage: image.sh --native BINARY | image.sh -- JVM_FLAG..." >&2; exit 2; }
[ -z "$binary" ] || [ -f "$binary" ] || { echo "image: $binary is not there" >&2; exit 1; }
jvm_flags=("${@:2}")

cache=${IP_MASQ_IMAGE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ip-masq-image}
out=$project/target/image
[ -n "$binary" ] || out=$out-jvm
arch=$(dpkg --print-architecture)
packaged=$project/target/quarkus-app

say() { printf 'image: %s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# A layer's tar is the same for the same files: sorted, owned by root, of one age. That age is not the commit's, or every
# version would bring lower layers of its own; and the start-up cache names the age of each jar, so files have it before
# the cache is made, too. layer NAME TREE DIRECTORY...
layer() {
  local name=$1 tree=$2
  shift 2
  tar -C "$tree" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime=@1 -cf "$name.tar.new" "$@"
  sha256sum <"$name.tar.new" | cut -d' ' -f1 >"$name.diff-id"
  stat -c %s "$name.tar.new" >"$name.size"
  gzip -n -6 <"$name.tar.new" >"$name.tar.gz.new"
  rm "$name.tar.new"
  mv "$name.tar.gz.new" "$name.tar.gz"
}

# hash of everything that goes into a step: FILE... and what is on standard input
key() { { cat; cat "$@"; } | sha256sum | cut -d' ' -f1; }

base() {
  "$project/scripts/image-base.sh" "$cache/$arch" "$cache/$arch/base"
  base=$cache/$arch/base-$(cat "$cache/$arch/base/key")
  [ -f "$base.tar.gz" ] && return
  touch_all "$cache/$arch/base/tree"
  layer "$base" "$cache/$arch/base/tree" .
}

jre() {
  base_tree=$cache/$arch/base/tree
  local made
  made=$(key "$project/scripts/TrustStore.java" "$base_tree/etc/ssl/certs/ca-certificates.crt" "$JAVA_HOME/release" \
    <<<"$modules $(declare -f jre jlink)")
  jre=$cache/$arch/jre-$made
  [ -f "$jre.tar.gz" ] && return
  say "linking a Java runtime"
  rm -rf "$jre.tree"
  mkdir -p "$jre.tree/opt"
  jlink "$jre.tree/opt/jre"
  "$JAVA_HOME/bin/java" "$project/scripts/TrustStore.java" "$base_tree/etc/ssl/certs/ca-certificates.crt" \
    "$jre.tree/opt/jre/lib/security/cacerts"
  touch_all "$jre.tree"
  layer "$jre" "$jre.tree" opt/jre
  rm -rf "$jre.tree"
}

# Uncompressed inside: the layer's own compression is better, and no start has to decompress.
jlink() {
  "$JAVA_HOME/bin/jlink" --add-modules "$modules" --strip-debug --no-header-files --no-man-pages --compress zip-0 \
    --dedup-legal-notices=error-if-not-same-content --output "$1"
  # for other uses: a tool, a helper with which a kernel starts jars, a JDK's view of this runtime, a list for making caches
  rm -f "$1"/bin/keytool "$1"/lib/{jexec,jrt-fs.jar,classlist}
}

touch_all() { find "$1" -exec touch --no-dereference --date=@1 {} +; }

application() {
  local pattern without=()
  for pattern in "${left_out[@]}"; do without+=(--exclude="$pattern"); done
  mkdir -p "$1"
  tar -C "$packaged" --exclude=agent.aot --exclude=quarkus-app-dependencies.txt "${without[@]}" -c . | tar -C "$1" -x
  chmod -R u=rwX,go=rX "$1"
  launcher "$1"
  touch_all "$1"
}

# What starts the agent: for the entry point as a list, for the launcher as a file of arguments for java.
java_arguments() {
  # a cache that does not fit costs start-up time only: no reason to log it at every start
  printf '%s\n' "${jvm_flags[@]}" "-XX:AOTCache=$home/agent.aot" -Xlog:aot=off -Xlog:aot+resolve=off -jar "$home/quarkus-run.jar"
}

# Commands run beside an agent, in the memory that it leaves of the pod's limit: without the start-up cache, all of whose classes
# are loaded at the start (30 MB), with the application's own jar before the 160 others, and with a young generation so small that
# it is collected before it takes memory. Of two equal flags the last one applies.
command_arguments() {
  printf '%s\n' "${jvm_flags[@]}" -Xmx64m -Xms2m -Xmn1m -XX:CompileThresholdScaling=10 -cp "$home/app/*:$home/quarkus-run.jar" net.ipmasq.app.Main
}

launcher() {
  java_arguments >"$1/java.arguments"
  command_arguments >"$1/command.arguments"
  install -m 755 "$project/scripts/image-launcher.sh" "$1/ip-masq-agent"
}

# A builder that links the JDK's libraries statically leaves none beside the binary.
native() {
  local library
  install -D -m 755 "$binary" "$1/ip-masq-agent"
  for library in "$(dirname "$binary")"/lib*.so; do
    [ ! -f "$library" ] || install -m 644 "$library" "$1/"
  done
}

# Names by which DaemonSets of the Go agents start it, where they have a command of their own. names ROOT
names() {
  mkdir -p "$1/usr/bin"
  ln -s "${home#/}/ip-masq-agent" "$1/ip-masq-agent"
  ln -s "../..$home/ip-masq-agent" "$1/usr/bin/cce-ip-masq-agent"
}

# The whole image as a directory, once as the agent will see it, for the cache to be made in.
train() {
  say "training the start-up cache in the image"
  "$project/scripts/train.sh" --root "$1" "$home/agent.aot" /opt/jre/bin/java "${jvm_flags[@]}" -- "$home/quarkus-run.jar"
  chmod 644 "$1$home/agent.aot"
}

app_inputs() {
  if [ -n "$binary" ]; then
    echo "$(cd "$(dirname "$binary")" && sha256sum "$(basename "$binary")" lib*.so 2>/dev/null) $(declare -f names native)"
  else
    echo "$(cat "$base.diff-id" "$jre.diff-id") ${jvm_flags[*]} ${left_out[*]} $(declare -f application launcher names java_arguments command_arguments train)"
    (cd "$packaged" && find . -type f ! -name agent.aot -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
  fi | key "$project/scripts/train.sh" "$project/scripts/image-launcher.sh"
}

app() {
  app=$out/app-$(app_inputs)
  [ -f "$app.tar.gz" ] && return
  rm -f "$out"/app-*
  local root=$work/root
  mkdir -p "$root"
  if [ -n "$binary" ]; then
    native "$root$home"
  else
    tar -C "$root" -xzf "$base.tar.gz"
    tar -C "$root" -xzf "$jre.tar.gz"
    application "$root$home"
    train "$root"
  fi
  names "$root"
  touch_all "$root$home"
  layer "$app" "$root" "${home#/}" ip-masq-agent usr/bin/cce-ip-masq-agent
}

image() {
  local layers=("$base") version
  if [ -n "$binary" ]; then
    entrypoint=("$home/ip-masq-agent")
  else
    layers+=("$jre")
    mapfile -t entrypoint < <(java_arguments)
    entrypoint=(/opt/jre/bin/java "${entrypoint[@]}")
  fi
  layers+=("$app")
  version=$(pom version)
  labels=(
    "org.opencontainers.image.title=$(pom artifactId)"
    "org.opencontainers.image.description=$(pom description)"
    "org.opencontainers.image.version=$version"
    "org.opencontainers.image.created=$created"
    "org.opencontainers.image.revision=$revision"
    "org.opencontainers.image.licenses=$(sed -n '/<license>/,/<\/license>/s|.*<name>\(.*\)</name>.*|\1|p' "$project/pom.xml")"
    "org.opencontainers.image.source=${IP_MASQ_IMAGE_SOURCE:-}"
  )
  environment=("PATH=/usr/sbin:/usr/bin:$home" LC_ALL=C.UTF-8)
  oci_layout "$work/oci" "$version" "${layers[@]}"
  tar -C "$work/oci" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime=@1 -cf "$out/image.new" \
    oci-layout index.json blobs
  mv "$out/image.new" "$out/ip-masq-agent.oci.tar"
}

# The first element of that name is the project's own; dependencies come after it.
pom() { sed -n "s|^  <$1>\(.*\)</$1>.*|\1|p" "$project/pom.xml" | head -n 1; }

report() {
  local name total=0 packed=0 unpacked size
  {
    printf '%-8s %12s %12s  %s\n' layer unpacked compressed digest
    while read -r name unpacked size digest; do
      printf '%-8s %12s %12s  %s\n' "$name" "$unpacked" "$size" "$digest"
      total=$((total + unpacked)) packed=$((packed + size))
    done <"$work/oci.layers"
    printf '%-8s %12s %12s  %s (image)\n' total $total $packed "$(cat "$out/digest")"
  } | tee "$out/sizes.txt" >&2
}

[ "$(id -u)" -eq 0 ] || fail "the start-up cache is made in a root of its own: run as root"
[ -n "$binary" ] || [ -f "$packaged/quarkus-run.jar" ] || fail "nothing is packaged in target/quarkus-app: run ./dev build"
mkdir -p "$cache/$arch" "$out"
exec 9>"$cache/lock"
flock --nonblock 9 || { say "waiting for another build" && flock 9; }
# layers of other versions, and what a build that was killed left
find "$cache/$arch" -maxdepth 1 -type f \( -name 'base-*' -o -name 'jre-*' \) -mtime +30 -delete
rm -rf "$out"/work.* "$cache/$arch"/*.tree
work=$(mktemp -d "$out/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# the application's date (SOURCE_DATE_EPOCH or the pom's), not this moment: the same sources give the same image
created=$(pom_date=$(sed -n 's|.*<project.build.outputTimestamp>\(.*\)</.*|\1|p' "$project/pom.xml") &&
  date -u -d "${SOURCE_DATE_EPOCH:+@}${SOURCE_DATE_EPOCH:-$pom_date}" +%Y-%m-%dT%H:%M:%SZ)
revision=$(git -C "$project" rev-parse --verify --quiet HEAD 2>/dev/null || true)

base
[ -n "$binary" ] || jre
app
inputs=$(key "$0" "$project/scripts/oci-layout.sh" "$project/pom.xml" <<<"${base##*/} ${jre##*/} $app $created $revision ${jvm_flags[*]}")
if [ "$(cat "$out/inputs" 2>/dev/null)" = "$inputs" ] && [ -f "$out/ip-masq-agent.oci.tar" ]; then
  cat "$out/sizes.txt" >&2
  say "target/${out##*/}/ip-masq-agent.oci.tar is up to date"
  exit 0
fi
rm -f "$out/inputs"
cp "$cache/$arch/base/packages.txt" "$out/packages.txt"
image
report
echo "$inputs" >"$out/inputs"
say "target/${out##*/}/ip-masq-agent.oci.tar: $(stat -c %s "$out/ip-masq-agent.oci.tar") bytes, in $SECONDS s"
