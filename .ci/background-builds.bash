# Builds that run beside the stages of `.ci/run`.

# Stages leave a processor idle for a part of their time. The builds of later ones fill it, two at a time and in the
# order of the stages, since each is a single compiler for a long part of its time. They are scheduled where nothing
# else wants to run. (`nice` isn't enough, since SwiftPM starts compilers as nice as usual.)
begin_builds() {
  local name
  mkdir -p .build
  for name in "$@"; do rm -f ".build/$name.status"; done
  # A group of processes of their own, which ends with this one.
  set -m
  (chrt --all-tasks --idle --pid 0 "$BASHPID" || :
  for name in "$@"; do
    while [ "$(jobs -pr | wc -l)" -ge 2 ]; do wait -n; done
    keep_build "$name" &
  done
  wait) &
  set +m
  builds=$!
  trap 'kill -- "-$builds" 2>/dev/null || :' EXIT
}

# Builds something, and keeps what is said of it and how it ended.
keep_build() {
  local TIMEFORMAT='It took %0R s, %0U s of processors.'
  if { time "$1"; } >".build/$1.log" 2>&1; then echo 0; else echo 1; fi >".build/$1.partial"
  mv ".build/$1.partial" ".build/$1.status"
}

# Waits for one of these builds, and says how it ended.
build_of() {
  local status
  while [ ! -e ".build/$1.status" ]; do
    if ! kill -0 "$builds" 2>/dev/null && [ ! -e ".build/$1.status" ]; then
      echo "$1 has ended without a word; its output is in .build/$1.log" >&2
      return 1
    fi
    sleep 1
  done
  status=$(cat ".build/$1.status")
  if [ "$status" -eq 0 ]; then tail -n 2 ".build/$1.log"; else cat ".build/$1.log" >&2; fi
  return "$status"
}
