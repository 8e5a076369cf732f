// Stands in for swift-log: the declarations that Documentation/Hooks.md uses, as its documentation has them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Logger: Sendable {
  public typealias Message = String
  public typealias Metadata = [String: String]

  public init(label: String) {}

  public func notice(_ message: @autoclosure () -> Message, metadata: Metadata? = nil) {}

  public func error(_ message: @autoclosure () -> Message, metadata: Metadata? = nil) {}
}
