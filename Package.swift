// swift-tools-version: 6.2

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

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + ["TestSupport"], swiftSettings: settings)
}

let layers = [
  "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
  "FoundationSupport", "Signalbox", "SignalboxTesting",
]

let examples: [Product] = [
  .executable(name: "CarOwnership", targets: ["CarOwnership"]),
  .executable(name: "Departures", targets: ["Departures"]),
]

let package = Package(
  name: "Signalbox",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: layers.map { .library(name: $0, targets: [$0]) } + examples,
  traits: [
    .trait(
      name: "InternalChecks",
      description: "Check the invariants of the data structures after each mutation. Slow.")
  ],
  targets: [
    // One lock and one atomic word over the platform's own; not a product.
    .target(name: "CLocking"),
    layer("Locking", ["CLocking"]),

    layer("Relays", ["Locking"]),
    layer("ListDiffing", []),
    layer("EntityStore", ["Locking", "Relays"]),
    layer("FetchedObjects", ["Locking", "Relays", "ListDiffing", "EntityStore"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    layer("SQLitePersistence", ["CSQLite", "Locking", "EntityStore"]),
    layer("FoundationSupport", ["Locking", "ListDiffing", "EntityStore"]),
    layer(
      "Signalbox",
      [
        "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
        "FoundationSupport",
      ]),

    // What an app's own tests need.
    layer("SignalboxTesting", ["Locking"]),

    .executableTarget(
      name: "Departures",
      dependencies: [
        "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
        "FoundationSupport", "Signalbox", "TerminalScreen",
      ],
      path: "Sources/Examples/Departures",
      resources: [.copy("Resources/2013-02-08")],
      swiftSettings: settings),

    .executableTarget(
      name: "CarOwnership",
      dependencies: [
        "Relays", "ListDiffing", "EntityStore", "FetchedObjects", "SQLitePersistence",
        "FoundationSupport", "Signalbox", "TerminalScreen",
      ],
      path: "Sources/Examples/CarOwnership", swiftSettings: settings),
    // A terminal's screen and keys, for the example programs; not a product.
    .target(
      name: "TerminalScreen", path: "Sources/Examples/TerminalScreen", swiftSettings: settings),

    .target(
      name: "TestSupport", dependencies: ["Locking", "Relays"], path: "Tests/TestSupport",
      swiftSettings: settings),
    // A disk under SQLite that loses power and fails on command.
    .target(name: "CFaultyDisk", dependencies: ["CSQLite"], path: "Tests/CFaultyDisk"),
    tests("Locking", ["Locking"]),
    tests("Relays", ["Relays", "Locking", "SignalboxTesting"]),
    tests("SignalboxTesting", ["SignalboxTesting", "Locking"]),
    tests("ListDiffing", ["ListDiffing"]),
    tests(
      "EntityStore",
      ["EntityStore", "Locking", "Relays", "SQLitePersistence", "FoundationSupport"]),
    tests(
      "FetchedObjects",
      [
        "FetchedObjects", "EntityStore", "ListDiffing", "Locking", "Relays", "SQLitePersistence",
        "FoundationSupport",
      ]),
    tests(
      "SQLitePersistence",
      [
        "SQLitePersistence", "EntityStore", "FetchedObjects", "ListDiffing", "Locking", "Relays",
        "CSQLite", "FoundationSupport", "CFaultyDisk",
      ]),
    tests(
      "FoundationSupport",
      ["FoundationSupport", "EntityStore", "Locking", "SQLitePersistence"]),
    tests(
      "Signalbox",
      [
        "Signalbox", "SignalboxTesting", "Relays", "ListDiffing", "EntityStore", "FetchedObjects",
        "SQLitePersistence", "FoundationSupport",
      ]),
    tests("TerminalScreen", ["TerminalScreen"]),
    tests("Departures", ["Departures"]),
    tests("CarOwnership", ["CarOwnership", "TerminalScreen", "ListDiffing", "Signalbox"]),
  ],
  swiftLanguageModes: [.v6]
)

// A build with the tests of a few layers takes a part of the time: SIGNALBOX_TESTS="Relays EntityStore".
if let names = Context.environment["SIGNALBOX_TESTS"] {
  let chosen = names.split(whereSeparator: \.isWhitespace).map(String.init)
  for name in chosen {
    let isThere = package.targets.contains { $0.name == "\(name)Tests" }
    precondition(isThere, "SIGNALBOX_TESTS names \(name), and there is no target \(name)Tests")
  }
  var programs = ["CarOwnership", "Departures", "TerminalScreen"]
  if programs.contains(where: chosen.contains) { programs = [] }
  package.products.removeAll { programs.contains($0.name) }
  package.targets.removeAll {
    let isTests = $0.type == .test
    return isTests ? !chosen.map { "\($0)Tests" }.contains($0.name) : programs.contains($0.name)
  }
  // In release it is the library that is optimised; to optimise tests, too, takes many minutes. And nothing waits
  // for a test's module, so it needs no job of its own, which would expand all macros a second time.
  for target in package.targets where target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
    target.swiftSettings?.append(.unsafeFlags(["-no-emit-module-separately-wmo"]))
    // SIGNALBOX_TESTS_WITHOUT="RelaysTests/EndTests.swift" leaves files of them out.
    let files = Context.environment["SIGNALBOX_TESTS_WITHOUT"] ?? ""
    let prefix = target.name + "/"
    target.exclude += files.split(whereSeparator: \.isWhitespace).map(String.init)
      .filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}
