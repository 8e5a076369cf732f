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

func signalbox(_ name: String, _ condition: TargetDependencyCondition? = nil) -> Target.Dependency {
  .product(name: name, package: "Signalbox", condition: condition)
}

let package = Package(
  name: "WebBoard",
  platforms: [.macOS(.v14)],
  products: [.executable(name: "WebBoard", targets: ["WebBoard"])],
  traits: [
    .trait(
      name: "PostgreSQL",
      description: "Show a store in a PostgreSQL database. Needs libpq (Debian's libpq-dev).")
  ],
  dependencies: [
    .package(
      name: "Signalbox", path: "../..",
      traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))])
  ],
  targets: [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    // HTTP by GNU libmicrohttpd: requests, answers and streams, and nothing of departures.
    .target(
      name: "HTTPServer",
      dependencies: ["CMicroHTTPD", signalbox("WebFeeds"), signalbox("Signalbox")],
      swiftSettings: settings),
    .executableTarget(
      name: "WebBoard",
      dependencies: [
        "HTTPServer", signalbox("WebFeeds"), signalbox("Inspector"), signalbox("Signalbox"),
        signalbox("DeparturesModel"),
        signalbox("PostgreSQLPersistence", .when(traits: ["PostgreSQL"])),
      ],
      resources: [.embedInCode("Page")],
      swiftSettings: settings),
    .testTarget(
      name: "HTTPServerTests", dependencies: ["HTTPServer", signalbox("WebFeeds")],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
