// Stands in for os on Apple's systems: the declarations that Documentation/Hooks.md uses, as Apple documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct OSSignpostID: Sendable {
  public init(_ value: UInt64) {}
}

public final class OSSignpostIntervalState {
  public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState {
    OSSignpostIntervalState()
  }
}

public struct SignpostMetadata: ExpressibleByStringInterpolation, Sendable {
  public init(stringLiteral value: String) {}
}

public struct OSSignposter: Sendable {
  public init(subsystem: String, category: String) {}

  @discardableResult
  public func beginInterval(
    _ name: StaticString, id: OSSignpostID, _ message: SignpostMetadata
  ) -> OSSignpostIntervalState { .beginState(id: id) }

  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
}
