# What the stages of `.ci/run` do that takes more than one command.

# SQLite for the library, PostgreSQL and a pooler for the trait of that name, a terminal for the tests that drive the examples,
# an HTTP library and a browser for WebBoard, and what finds the processes of tests that hang.
install() {
  local missing=()
  pkg-config --exists sqlite3 2>/dev/null || missing+=(libsqlite3-dev pkg-config)
  pkg-config --exists libpq 2>/dev/null || missing+=(libpq-dev pkg-config)
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
  [ -x /usr/sbin/pgbouncer ] || missing+=(pgbouncer)
  command -v openssl >/dev/null || missing+=(openssl)
  command -v tmux >/dev/null || missing+=(tmux)
  command -v pgrep >/dev/null || missing+=(procps)
  pkg-config --exists libmicrohttpd 2>/dev/null || missing+=(libmicrohttpd-dev pkg-config)
  command -v chromium >/dev/null || missing+=(chromium)
  python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
  [ -e /usr/include/openssl/evp.h ] || missing+=(libssl-dev)
  command -v tclsh >/dev/null || missing+=(tcl)
  command -v make >/dev/null || missing+=(make)
  command -v gcc >/dev/null || missing+=(gcc)
  if [ "${#missing[@]}" -eq 0 ]; then return; fi
  local root=
  if [ "$(id -u)" -ne 0 ]; then root=sudo; fi
  $root apt-get update -qq
  $root apt-get install -y -qq "${missing[@]}"
}

lint() {
  swift format lint --strict --parallel --recursive Sources Tests Benchmarks Package.swift \
    Examples/WebBoard/Package.swift Examples/WebBoard/Sources Examples/WebBoard/Tests \
    Examples/Todo/Package.swift Examples/Todo/Sources Examples/Todo/Tests
}

# The core must stay free of Foundation.
core_imports() {
  if grep -rnE '^(public |internal |package )?import Foundation' \
    Sources/Locking Sources/Relays Sources/ListDiffing Sources/EntityStore \
    Sources/FetchedObjects Sources/SQLMapping Sources/SQLitePersistence Sources/PostgreSQLPersistence Sources/CacheTracking Sources/WebFeeds Sources/SignalboxUI \
    Sources/SignalboxTesting; then
    echo 'A core target imports Foundation.' >&2
    return 1
  fi
}

# A module at a time takes less than its files one by one, and nothing is built twice here. A debugger isn't used
# either: lines are enough for what crashes.
quick=(-Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -index-ignore-system-modules
  -Xswiftc -gline-tables-only)

# The build that most stages look at, and run: the data structures check themselves after each mutation here, and the
# store in PostgreSQL is there, which is tested with a server that the tests start. The builds below have no such checks.
checks=(--traits InternalChecks,PostgreSQL "${quick[@]}"
  --explicit-target-dependency-import-check error -Xswiftc -warnings-as-errors)
checked_build() {
  # The largest tests wait for this small file, which would be compiled late.
  swift build --target CFaultyDisk "${checks[@]}"
  swift build --build-tests "${checks[@]}"
}
checked_tests() { .ci/test --skip-build "${checks[@]}"; }

# Makes a package of these sources with the named tests alone, and without most examples:
# package_with FOLDER TESTS. (A manifest that reads the environment would be read by each app, too.)
package_with() {
  local entry
  mkdir -p "$1"
  for entry in "$PWD"/* "$PWD/.ci" "$PWD/.github"; do ln -sfn "$entry" "$1/$(basename "$entry")"; done
  rm "$1/Package.swift"
  { cat Package.swift; printf '\nlet kept = "%s"' "$2"; cat; } >"$1/Package.swift" <<'END'
.split(separator: " ").map { "\($0)Tests" }
let unused = ["CarOwnership", "Chat", "Reminders", "LineProgram"]
package.targets.removeAll {
  $0.type == .test ? !kept.contains($0.name) : unused.contains($0.name)
}
package.products.removeAll { unused.contains($0.name) }
END
}
of_both='SQLitePersistence EntityStore FetchedObjects Locking Relays'
of_unsafe_code="$of_both ListDiffing"
of_threads="$of_both CacheTracking SignalboxTesting WebFeeds Inspector SignalboxUI PostgreSQLPersistence Signalbox"

# SQLCipher, compiled from its amalgamation. The tests of files run with a key for each file, and those of keys and
# copies also as they are. (Tests make tables of R-Tree, too.)
cipher=(--traits SQLCipher,VendoredSQLite "${quick[@]}" --scratch-path .build-cipher
  --package-path .build-cipher/package -Xswiftc -DTEST_KEY -Xcc -O2
  -Xcc "-I$PWD/.build-cipher/amalgamation" -Xcc -DSQLITE_ENABLE_RTREE=1)
cipher_build() {
  .ci/amalgamation sqlcipher .build-cipher/amalgamation
  package_with .build-cipher/package SQLitePersistence
  swift build --build-tests "${cipher[@]}"
}
encrypted_files() {
  .ci/test --skip-build "${cipher[@]}" \
    --filter '(Encryption|FailingKeyChange|Cop(y|ied)|Backup|Erase|WAL)[A-Za-z+]*\.swift'
  SIGNALBOX_TEST_KEY=1 .ci/test --skip-build "${cipher[@]}"
}

# The library optimised as an app gets it, under the address sanitizer, and with SQLite from its amalgamation: for
# systems that have none, and so that the sanitizer sees SQLite's code, too. Tests that are `.large` run here, since
# rounds are asked for. (Leaks: the one it finds is XCTest's own.)
release=(-c release --sanitize=address --traits VendoredSQLite -Xswiftc -enable-testing "${quick[@]}"
  --scratch-path .build-asan --package-path .build-asan/package
  -Xcc "-I$PWD/.build-asan/amalgamation" -Xcc -DSQLITE_ENABLE_RTREE=1)
export ASAN_OPTIONS=detect_leaks=0
address_sanitizer_build() {
  .ci/amalgamation sqlite3 .build-asan/amalgamation
  package_with .build-asan/package "$of_unsafe_code"
  swift build --build-tests "${release[@]}"
}
release_tests() {
  SIGNALBOX_ROUNDS=0.1 .ci/test --skip-build "${release[@]}"
  departures .build-asan/release
}

# Of the layers that have threads. Tests that are `.oneThread` skip themselves, and files in which nothing starts a
# thread or a task are left out.
threads=(--traits PostgreSQL "${quick[@]}" --sanitize=thread --scratch-path .build-tsan
  --package-path .build-tsan/package)
thread_sanitizer_build() {
  package_with .build-tsan/package "$of_threads"
  swift build --build-tests "${threads[@]}"
}
thread_sanitizer() {
  local folders file files
  mapfile -t folders < <(printf 'Tests/%sTests\n' $of_threads)
  # Comments start nothing, and an exit test starts a process in which it may make a mistake on one thread.
  local nothing='s,(^|\n)\s*//[^\n]*,\1,g; s/await #(expect|require)\(\s*processExitsWith//g; s/\)\s*async( throws)?\s*\{/) {/g'
  files=$(
    while IFS= read -r file; do
      if ! grep -qE "$starts_threads" < <(sed -z -E "$nothing" "$file"); then basename -s .swift "$file"; fi
    done < <(find "${folders[@]}" -name '*.swift') | paste -sd '|'
  )
  .ci/test --skip-build "${threads[@]}" --skip "/(${files//+/\\+})\.swift:"
}
starts_threads='[tT]hread|Task|async|await|[pP]rocess|concurrent|Dispatch|watching|refresh|catchUp|becomesTrue|MainActor|Server|\.sqlite'

# With the store of a build.
departures() {
  local folder build=${1:-.build/debug}
  folder=$(mktemp -d)
  "$build/Departures" --headless --verify --store "$folder/departures.sqlite"
  rm -r "$folder"
}

# The packages of the examples, in one folder, so that the library is compiled once. The second is the state layer of
# the SwiftUI example; its views are compiled with the stand-ins.
web_board_package=("${quick[@]}" --package-path Examples/WebBoard)
todo_package=("${quick[@]}" --package-path Examples/Todo --scratch-path Examples/WebBoard/.build)
examples_build() {
  swift build --build-tests "${web_board_package[@]}" -Xswiftc -warnings-as-errors
  swift build --build-tests "${todo_package[@]}" -Xswiftc -warnings-as-errors
}
todo() { .ci/test --skip-build "${todo_package[@]}"; }

# The server of the board, and all that asks it.
web_board() {
  .ci/test --skip-build "${web_board_package[@]}"
  .ci/web-board
}

benchmarks_build() { swift build -c release --build-tests --package-path Benchmarks; }

benchmarks() {
  Benchmarks/.build/release/benchmarks --quick --check --json .build/benchmarks.json --svg .build/benchmarks
}
