// Stands in for swift-metrics: the declarations that Documentation/Hooks.md uses, as its documentation has them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public final class Timer: Sendable {
  public init(label: String, dimensions: [(String, String)] = []) {}

  public func record(duration: Duration) {}
}

public final class Counter: Sendable {
  public init(label: String, dimensions: [(String, String)] = []) {}

  public func increment() {}
}
