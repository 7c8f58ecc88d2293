#!/bin/sh
# Starts the image of an OCI archive as a container runtime would, without one, and sends a photo through it:
#   npm run image -- --out sutura.oci.tar && npm run build:sdk && ops/smoke-image.sh sutura.oci.tar
# The root folder is read-only, /tmp in memory, the account unprivileged, the network loopback alone. PostgreSQL is the one of
# this checkout (npm ci). Ends with 0 if all holds, 1 if not, 2 if misused, 77 if a tool is missing.
set -eu

if [ $# -ne 1 ] || [ ! -f "$1" ]; then
  echo "Usage: ops/smoke-image.sh FILE, which npm run image -- --out FILE makes" >&2
  exit 2
fi
for tool in unshare setpriv mount ip tar node; do
  if ! command -v "$tool" >/dev/null; then
    echo "The image was not tried: $tool is not on the PATH." >&2
    exit 77
  fi
done
if [ "$(id -u)" -ne 0 ]; then
  echo "The image was not tried: mounts and namespaces need root." >&2
  exit 77
fi

here=$(dirname "$(readlink -f "$0")")
if [ ! -f "$here/../sdk/javascript/dist/index.mjs" ]; then
  echo "The image was not tried: its client is not built. Run npm run build:sdk." >&2
  exit 77
fi
exec unshare --mount --net --propagation private node "$here/../test/image/smoke.mjs" "$1"
