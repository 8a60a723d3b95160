#!/bin/sh
# Makes configure and what it needs. Only a checkout needs this; a release has them.
set -e
cd "$(dirname "$0")"
exec autoreconf -fi "$@"
