// swift-tools-version: 6.2.3

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .define("INTERNAL_CHECKS", .when(traits: ["InternalChecks"])),
]

/// A target of the library; those in `layers` below are products, too.
func layer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// An example program that reads commands line by line.
func example(_ name: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
      "FoundationSupport", "Signalbox", "LineProgram", "TerminalScreen",
    ],
    path: "Sources/Examples/\(name)", swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["TestSupport"],
    swiftSettings: settings + [
      // In release it is the library that is optimised; to optimise tests, too, takes many minutes.
      .unsafeFlags(["-Onone"], .when(configuration: .release)),
      // Nothing waits for a test's module: a job of its own for it would expand all macros a second time.
      .unsafeFlags(["-no-emit-module-separately-wmo"]),
    ])
}

let layers = [
  "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
  "PostgreSQLPersistence", "FoundationSupport", "Signalbox", "CacheTracking", "WebFeeds",
  "Inspector", "SignalboxUI", "SignalboxTesting",
]

let examples: [Product] = [
  .library(name: "DeparturesModel", targets: ["DeparturesModel"]),
  .executable(name: "CarOwnership", targets: ["CarOwnership"]),
  .executable(name: "Chat", targets: ["Chat"]),
  .executable(name: "Departures", targets: ["Departures"]),
  .executable(name: "Reminders", targets: ["Reminders"]),
]

let package = Package(
  name: "Signalbox",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: layers.map { .library(name: $0, targets: [$0]) } + examples,
  traits: [
    .trait(
      name: "InternalChecks",
      description: "Check the invariants of the data structures after each mutation. Slow."),
    .trait(
      name: "PostgreSQL",
      description: "Keep a store in a PostgreSQL database. Needs libpq (Debian's libpq-dev)."),
    .trait(
      name: "SQLCipher",
      description: "Encrypt files that are opened with a key. Needs SQLCipher 4.5.1 or later."),
    .trait(
      name: "VendoredSQLite",
      description: "Compile SQLite's amalgamation, from the folder that -Xcc -I names."
    ),
  ],
  targets: [
    // One lock and one atomic word over the platform's own; not a product.
    .target(name: "CLocking"),
    // A search in bytes, which is fast in a debug build, too; not a product.
    .target(name: "CText"),
    layer("Locking", ["CLocking"]),

    layer("Relays", ["Locking"]),
    layer("ListDiffing", []),
    layer("EntityStore", ["CText", "Locking", "Relays"]),
    layer("FetchedObjects", ["Locking", "Relays", "ListDiffing", "EntityStore"]),
    // Who imports it links it; with pkg-config it would be linked beside the two below.
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CSQLCipher"),
    .target(
      name: "CVendoredSQLite", sources: ["CVendoredSQLite.c"],
      cSettings: [
        .define("SIGNALBOX_VENDORED_SQLITE", .when(traits: ["VendoredSQLite"])),
        .define("SIGNALBOX_SQLCIPHER", .when(traits: ["SQLCipher"])),
      ],
      linkerSettings: [
        .linkedLibrary("crypto", .when(platforms: [.linux, .android], traits: ["SQLCipher"])),
        .linkedLibrary("libcrypto", .when(platforms: [.windows], traits: ["SQLCipher"])),
        .linkedFramework(
          "Security",
          .when(
            platforms: [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS],
            traits: ["SQLCipher"])),
      ]),
    // The one of the three that the traits ask for; not a product.
    layer(
      "SQLiteLibrary",
      [
        "CSQLite", .target(name: "CSQLCipher", condition: .when(traits: ["SQLCipher"])),
        .target(name: "CVendoredSQLite", condition: .when(traits: ["VendoredSQLite"])),
      ]),
    // Entities, queries and logged changes as SQL, for storages in databases; not a product.
    layer("SQLMapping", ["EntityStore"]),
    layer("SQLitePersistence", ["SQLiteLibrary", "Locking", "EntityStore", "SQLMapping"]),
    // Without the trait it is an empty module, and libpq isn't needed.
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    layer(
      "PostgreSQLPersistence",
      [
        .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])), "Locking",
        "EntityStore", "SQLMapping",
      ]),
    // It also has the privacy manifest: a resource needs Foundation, which the layers below don't import.
    .target(
      name: "FoundationSupport", dependencies: ["Locking", "Relays", "ListDiffing", "EntityStore"],
      resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: settings),
    layer(
      "Signalbox",
      [
        "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
        "FoundationSupport",
      ]),

    // Cache trackers and data providers, for apps of that architecture.
    layer(
      "CacheTracking", ["Locking", "Relays", "ListDiffing", "EntityStore", "FetchedObjects"]),

    // Lists for browsers: event streams, Electric's shape protocol, and the client in JavaScript.
    .target(
      name: "WebFeeds",
      dependencies: ["Locking", "Relays", "ListDiffing", "EntityStore", "FetchedObjects"],
      resources: [.embedInCode("Client/signalbox.js")], swiftSettings: settings),

    // A look into a running store, and the page that shows it.
    .target(
      name: "Inspector",
      dependencies: ["Locking", "Relays", "EntityStore", "FetchedObjects", "WebFeeds"],
      resources: [.embedInCode("Page")], swiftSettings: settings),

    // Lists and objects of SwiftUI views; what is behind the property wrappers is everywhere.
    layer("SignalboxUI", ["Locking", "Relays", "EntityStore", "FetchedObjects"]),

    // What an app's own tests need.
    layer("SignalboxTesting", ["Locking", "Relays"]),

    // The data, the entities and the commits of Departures, which WebBoard shows, too.
    .target(
      name: "DeparturesModel", dependencies: ["Signalbox"],
      path: "Sources/Examples/DeparturesModel",
      resources: [.copy("Resources/2013-02-08")],
      swiftSettings: settings),

    .executableTarget(
      name: "Departures",
      dependencies: [
        "DeparturesModel",
        "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
        "FoundationSupport", "Signalbox", "SignalboxTesting", "TerminalScreen",
        .target(name: "PostgreSQLPersistence", condition: .when(traits: ["PostgreSQL"])),
      ],
      path: "Sources/Examples/Departures", swiftSettings: settings),

    .executableTarget(
      name: "CarOwnership",
      dependencies: [
        "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
        "FoundationSupport", "Signalbox", "CacheTracking", "TerminalScreen",
      ],
      path: "Sources/Examples/CarOwnership", swiftSettings: settings),

    example("Chat"),
    example("Reminders"),
    // Commands and live output, line by line, for the two programs above; not a product.
    .target(
      name: "LineProgram",
      dependencies: ["Relays", "ListDiffing", "EntityStore", "FetchedObjects", "TerminalScreen"],
      path: "Sources/Examples/LineProgram", swiftSettings: settings),

    // A terminal's screen and keys, for the example programs; not a product.
    .target(
      name: "TerminalScreen", dependencies: ["EntityStore"],
      path: "Sources/Examples/TerminalScreen", swiftSettings: settings),

    // How many tests run at once, and that their processes end with them.
    .target(name: "CTestProcess", path: "Tests/CTestProcess"),
    .target(
      name: "TestSupport", dependencies: ["CTestProcess", "Locking", "Relays", "SignalboxTesting"],
      path: "Tests/TestSupport", swiftSettings: settings),
    // Entities, and storages that fail, count or stop on command, for the tests of several layers.
    .target(
      name: "Fixtures",
      dependencies: [
        "CTestProcess", "EntityStore", "Locking", "PostgreSQLPersistence", "SQLitePersistence",
        "TestSupport",
      ],
      path: "Tests/Fixtures", swiftSettings: settings),
    // Queries with results by hand, and checks, for the tests of lists and of what stands on them.
    .target(
      name: "ListFixtures",
      dependencies: [
        "FetchedObjects", "EntityStore", "ListDiffing", "Locking", "Relays", "Fixtures",
        "TestSupport",
      ],
      path: "Tests/ListFixtures", swiftSettings: settings),
    // A disk under SQLite that loses power and fails on command.
    .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
    tests("Locking", ["Locking"]),
    tests("Relays", ["Relays", "Locking", "SignalboxTesting"]),
    tests("SignalboxTesting", ["SignalboxTesting", "Locking"]),
    tests("ListDiffing", ["ListDiffing"]),
    tests(
      "EntityStore",
      [
        "EntityStore", "FetchedObjects", "Locking", "Relays", "SQLitePersistence",
        "FoundationSupport", "Fixtures",
      ]),
    tests(
      "FetchedObjects",
      [
        "FetchedObjects", "EntityStore", "ListDiffing", "Locking", "Relays", "SQLitePersistence",
        "FoundationSupport", "SignalboxTesting", "Fixtures", "ListFixtures",
      ]),
    tests(
      "CacheTracking",
      [
        "CacheTracking", "FetchedObjects", "EntityStore", "ListDiffing", "Locking", "Relays",
        "SQLitePersistence", "FoundationSupport", "Fixtures", "ListFixtures",
      ]),
    tests(
      "WebFeeds",
      [
        "WebFeeds", "FetchedObjects", "EntityStore", "ListDiffing", "Locking", "Relays",
        "SQLitePersistence", "Fixtures", "ListFixtures",
      ]),
    tests(
      "Inspector",
      [
        "Inspector", "WebFeeds", "FetchedObjects", "EntityStore", "Locking", "Relays",
        "SQLitePersistence", "Fixtures", "ListFixtures",
      ]),
    tests(
      "SignalboxUI",
      [
        "SignalboxUI", "FetchedObjects", "EntityStore", "Locking", "Relays", "Fixtures",
        "ListFixtures",
      ]),
    tests(
      "SQLitePersistence",
      [
        "SQLitePersistence", "SQLMapping", "EntityStore", "FetchedObjects", "ListDiffing",
        "Locking", "Relays", "SQLiteLibrary", "FoundationSupport", "CFaultyDisk", "Fixtures",
      ]),
    tests(
      "PostgreSQLPersistence",
      [
        "PostgreSQLPersistence", "SQLMapping", "EntityStore", "FetchedObjects", "ListDiffing",
        "SQLitePersistence", "Locking", "Relays", "Fixtures",
      ]),
    tests(
      "FoundationSupport",
      ["FoundationSupport", "EntityStore", "Locking", "Relays", "SQLitePersistence", "Fixtures"]),
    tests(
      "Signalbox",
      [
        "Signalbox", "SignalboxTesting", "CacheTracking", "Relays", "ListDiffing", "EntityStore",
        "FetchedObjects",
        "SQLitePersistence", "FoundationSupport",
      ]),
    tests("TerminalScreen", ["TerminalScreen"]),
    tests("LineProgram", ["LineProgram", "Chat", "Reminders", "Signalbox"]),
    tests("Departures", ["Departures", "DeparturesModel", "EntityStore", "Fixtures", "Signalbox"]),
    tests(
      "CarOwnership",
      ["CarOwnership", "TerminalScreen", "EntityStore", "ListDiffing", "Signalbox"]),
    tests("Chat", ["Chat", "LineProgram", "EntityStore", "Signalbox"]),
    tests("Reminders", ["Reminders", "LineProgram", "EntityStore", "Signalbox"]),
  ],
  swiftLanguageModes: [.v6]
)
