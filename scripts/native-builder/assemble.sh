#!/usr/bin/env bash
# Puts a builder of native images together: JDK, Maven Central's artifacts, and the C files of this folder. See README.md.
#
#   assemble.sh JAVA_HOME TARGET     makes TARGET, whose bin/native-image Quarkus can call with GRAALVM_HOME=TARGET
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
jdk=${1:?usage: assemble.sh JAVA_HOME TARGET}
target=${2:?usage: assemble.sh JAVA_HOME TARGET}

say() { printf 'native-builder: %s\n' "$*" >&2; }
[ "$(uname -sm)" = "Linux x86_64" ] || { say "this builder is for Linux on x86-64; use Mandrel's or GraalVM's native-image"; exit 1; }

work=$target.partial
mkdir -p "$(dirname "$work")"
exec 9>"$target.lock"
flock --nonblock 9 || { say "waiting for another build" && flock 9; }
[ ! -x "$target/bin/native-image" ] || exit 0
rm -rf "$work" "$target"
trap 'rm -rf "$work"' EXIT

say "copying the JDK"
cp -a "$jdk" "$work"
rm -rf "$work/jmods" "$work/lib/src.zip"
svm=$work/lib/svm
mkdir -p "$svm/builder/lib" "$svm/builder/upgrade" "$svm/clibraries/include" "$svm/runtime"

say "fetching the builder's artifacts"
JAVA_HOME=$jdk "$here/../../mvnw" -B -q -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$svm/builder"
(cd "$svm/builder" && sha256sum --quiet --strict -c "$here/artifacts.sha256" \
  && [ "$(find . -name '*.jar' | wc -l)" -eq "$(wc -l <"$here/artifacts.sha256")" ]) \
  || { say "an artifact is not the one that this builder was written for (artifacts.sha256)"; exit 1; }
mv "$svm"/builder/compiler-*.jar "$svm/builder/upgrade/"
basename "$svm"/builder/svm-[0-9]*.jar .jar | cut -d- -f2 >"$svm/builder/version"

say "compiling"
includes=(-I"$here/include" -I"$jdk/include" -I"$jdk/include/linux")
flags=(-O2 -fPIC -Wall -Wextra -Werror)
libraries=(java net nio zip extnet management management_ext jimage)
cp "$here"/include/*.h "$svm/clibraries/include/"
gcc "${flags[@]}" "${includes[@]}" -c "$here/chelper.c" -o "$work/chelper.o"
ar rcs "$svm/clibraries/liblibchelper.a" "$work/chelper.o"
gcc "${flags[@]}" "${includes[@]}" -shared "$here/reporterchelper.c" -o "$svm/builder/lib/libreporterchelper.so"

# The names that the JDK's libraries want from a virtual machine, without those that jvm.c has.
for library in "${libraries[@]}"; do
  nm -D --undefined-only "$jdk/lib/lib$library.so"
done | sed -n 's/.* U \(\(JVM\|jio\|JNI\)_[A-Za-z0-9_]*\).*/\1/p' | sort -u >"$work/wanted"
while read -r name; do
  grep -q "[ *]$name(" "$here/jvm.c" || printf 'ABSENT(%s)\n' "$name"
done <"$work/wanted" >"$work/names.h"
printf 'SUNWprivate_1.1 { global: JVM_*; jio_*; JNI_*; local: *; };\n' >"$work/versions"
gcc "${flags[@]}" -I"$work" -shared -Wl,--version-script="$work/versions" -Wl,-soname,libjvm.so "$here/jvm.c" \
  -o "$svm/runtime/libjvm.so"

# The linker is asked for static libraries; a linker script makes the JDK's shared ones of them.
for library in "${libraries[@]}"; do
  cp "$jdk/lib/lib$library.so" "$svm/runtime/"
  printf 'INPUT(%s)\n' "$target/lib/svm/runtime/lib$library.so" >"$svm/clibraries/lib$library.a"
done
printf 'INPUT(%s)\n' "$target/lib/svm/runtime/libjvm.so" >"$svm/clibraries/libjvm.a"
rm "$work/chelper.o" "$work/names.h" "$work/versions" "$work/wanted"

"$jdk/bin/javac" -d "$svm/builder/launcher" "$here/NativeImage.java"
cat >"$work/bin/native-image" <<'EOF'
#!/bin/sh
home=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
exec "$home/bin/java" -XX:TieredStopAtLevel=1 -cp "$home/lib/svm/builder/launcher" NativeImage "$@"
EOF
chmod +x "$work/bin/native-image"
touch "$work"
mv "$work" "$target"
trap - EXIT
# those of earlier states of this folder and of other JDKs
find "$(dirname "$target")" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
