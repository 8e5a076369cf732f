// swift-tools-version: 6.2.3

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
  "FoundationSupport", "WebFeeds", "Inspector",
]

/// True where the trait `PostgreSQL` is enabled.
let withServer: TargetDependencyCondition? = .when(traits: ["PostgreSQL"])

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  products: [.executable(name: "benchmarks", targets: ["benchmarks"])],
  traits: [
    .trait(
      name: "PostgreSQL",
      description:
        "Measure the store in a PostgreSQL database. Needs libpq and a server's programs."),
    .trait(
      name: "SQLCipher",
      description:
        "Measure encrypted files. SQLCipher's amalgamation is compiled: -Xcc -I with its folder."),
  ],
  dependencies: [
    .package(
      name: "Signalbox", path: "..",
      traits: [
        .trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"])),
        .trait(name: "SQLCipher", condition: .when(traits: ["SQLCipher"])),
        .trait(name: "VendoredSQLite", condition: .when(traits: ["SQLCipher"])),
      ])
  ],
  targets: [
    // The C API that the SQLite layer is compared with.
    .systemLibrary(
      name: "CSQLiteBaseline", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(
      name: "CPostgreSQLBaseline", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(name: "CHeap"),
    .target(name: "CCounts"),
    .target(name: "CSlowDisk", dependencies: ["CSQLiteBaseline"]),
    .executableTarget(
      name: "benchmarks",
      dependencies: ["CCounts", "CHeap", "CSlowDisk", "CSQLiteBaseline"]
        + layers.map { .product(name: $0, package: "Signalbox") }
        + [
          .target(name: "CPostgreSQLBaseline", condition: withServer),
          .product(name: "PostgreSQLPersistence", package: "Signalbox", condition: withServer),
        ],
      // Its tests are of the build that measures, since another one takes minutes.
      swiftSettings: settings + [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]),
    .testTarget(
      name: "BenchmarksTests", dependencies: ["benchmarks"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
