// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let layers = [
  "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
  "FoundationSupport",
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  products: [.executable(name: "benchmarks", targets: ["benchmarks"])],
  dependencies: [.package(name: "Signalbox", path: "..")],
  targets: [
    // The C API that the SQLite layer is compared with.
    .systemLibrary(
      name: "CSQLiteBaseline", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(name: "CHeap"),
    .target(name: "CCounts"),
    .target(name: "CSlowDisk", dependencies: ["CSQLiteBaseline"]),
    .executableTarget(
      name: "benchmarks",
      dependencies: ["CCounts", "CHeap", "CSlowDisk", "CSQLiteBaseline"]
        + layers.map { .product(name: $0, package: "Signalbox") },
      // Its tests are of the build that measures, since another one takes minutes.
      swiftSettings: settings + [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]),
    .testTarget(
      name: "BenchmarksTests", dependencies: ["benchmarks"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
