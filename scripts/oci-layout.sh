# shellcheck shell=bash disable=SC2154
# Writes an OCI image layout (image-spec 1.0) from layers that are there as compressed tars. To be sourced.

json_string() {
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# json_list TEXT...
json_list() {
  local separator='' text
  printf '['
  for text; do
    printf '%s' "$separator"
    json_string "$text"
    separator=,
  done
  printf ']'
}

# json_map NAME=VALUE...; a value that is empty is left out
json_map() {
  local separator='' pair
  printf '{'
  for pair; do
    [ -n "${pair#*=}" ] || continue
    printf '%s%s:%s' "$separator" "$(json_string "${pair%%=*}")" "$(json_string "${pair#*=}")"
    separator=,
  done
  printf '}'
}

# blob DIR FILE: puts a file into the layout under its digest; prints SIZE and DIGEST for a descriptor
blob() {
  local digest
  digest=$(sha256sum <"$2" | cut -d' ' -f1)
  cp "$2" "$1/blobs/sha256/$digest"
  echo "$(stat -c %s "$2") sha256:$digest"
}

descriptor() { printf '{"mediaType":"application/vnd.oci.image.%s","digest":"%s","size":%s' "$1" "$3" "$2"; }

# oci_layout DIR VERSION LAYER...: each layer as LAYER.tar.gz, LAYER.diff-id and LAYER.size. The rest comes from
# arch, created, port, and the arrays entrypoint, environment and labels. Writes $out/digest and DIR.layers.
oci_layout() {
  local dir=$1 version=$2 layer name size digest
  local layers=() diffs=() history=()
  shift 2
  mkdir -p "$dir/blobs/sha256"
  : >"$dir.layers"
  for layer; do
    name=${layer##*/}
    name=${name%%-*}
    read -r size digest < <(blob "$dir" "$layer.tar.gz")
    echo "$name $(cat "$layer.size") $size $digest" >>"$dir.layers"
    layers+=("$(descriptor layer.v1.tar+gzip "$size" "$digest")}")
    diffs+=("sha256:$(cat "$layer.diff-id")")
    history+=("{\"created\":\"$created\",\"created_by\":\"scripts/image.sh: $name\"}")
  done

  {
    printf '{"created":"%s","architecture":"%s","os":"linux","config":{' "$created" "$arch"
    printf '"User":"0:0","WorkingDir":"/","ExposedPorts":{"%s/tcp":{}},"Env":' "$port"
    json_list "${environment[@]}"
    printf ',"Entrypoint":'
    json_list "${entrypoint[@]}"
    printf ',"Cmd":["run"],"Labels":'
    json_map "${labels[@]}"
    printf '},"rootfs":{"type":"layers","diff_ids":'
    json_list "${diffs[@]}"
    printf '},"history":[%s]}\n' "$(IFS=,; echo "${history[*]}")"
  } >"$dir.config"
  read -r size digest < <(blob "$dir" "$dir.config")

  {
    printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":'
    descriptor config.v1+json "$size" "$digest"
    printf '},"layers":[%s],"annotations":' "$(IFS=,; echo "${layers[*]}")"
    json_map "${labels[@]}"
    printf '}\n'
  } >"$dir.manifest"
  read -r size digest < <(blob "$dir" "$dir.manifest")
  echo "$digest" >"$out/digest"

  {
    printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":['
    descriptor manifest.v1+json "$size" "$digest"
    printf ',"platform":{"architecture":"%s","os":"linux"},"annotations":' "$arch"
    json_map "org.opencontainers.image.ref.name=$version"
    printf '}]}\n'
  } >"$dir/index.json"
  printf '{"imageLayoutVersion":"1.0.0"}\n' >"$dir/oci-layout"
}
