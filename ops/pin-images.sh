#!/bin/sh
# Names images by what is in them, not by a tag that may be put on others tomorrow.
#   ops/pin-images.sh                 the images of compose.yaml, as lines for .env
#   ops/pin-images.sh NAME:TAG        one image, as NAME@sha256:…
# Asks the registry through skopeo (apt-get install skopeo). Ends with 1 where one is not found, and prints nothing half.
set -eu

pinned() {
  digest=$(skopeo inspect --format '{{.Digest}}' "docker://$1") || exit 1
  case $digest in
    sha256:????????????????????????????????????????????????????????????????) echo "${1%:*}@$digest" ;;
    *) echo "The registry named no digest of $1." >&2; exit 1 ;;
  esac
}

command -v skopeo > /dev/null || { echo 'skopeo is not installed: apt-get install skopeo' >&2; exit 1; }
if [ $# -gt 0 ]; then
  pinned "$1"
  exit
fi
lines=''
for named in $(sed -n 's/^ *image: ${\([A-Z]*_IMAGE\):-\([^}]*\)}$/\1=\2/p' "$(dirname "$0")/../compose.yaml" | grep -v ^SUTURA_IMAGE); do
  image=$(pinned "${named#*=}")
  lines="$lines${named%%=*}=$image
"
done
printf '%s' "$lines"
