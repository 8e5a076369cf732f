// swift-tools-version: 6.2.3

import PackageDescription

// A to-do list in SwiftUI. Open this folder in Xcode, and run Todo on a Mac; for iOS, put the files of Sources/Todo
// into an app target. Its state layer doesn't need SwiftUI: `swift test --package-path Examples/Todo`.
let package = Package(
  name: "Todo",
  platforms: [.macOS(.v14), .iOS(.v17), .visionOS(.v1)],
  dependencies: [.package(name: "Signalbox", path: "../..")],
  targets: [
    .target(
      name: "TodoState", dependencies: [.product(name: "Signalbox", package: "Signalbox")]),
    .executableTarget(
      name: "Todo",
      dependencies: ["TodoState", .product(name: "SignalboxUI", package: "Signalbox")],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
    .testTarget(
      name: "TodoStateTests",
      dependencies: ["TodoState", .product(name: "SignalboxUI", package: "Signalbox")]),
  ])
