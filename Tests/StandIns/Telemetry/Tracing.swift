// Stands in for swift-distributed-tracing: the declarations that Documentation/Hooks.md uses, as its documentation
// has them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol Span: AnyObject, Sendable {
  func recordError(_ error: any Error)
  func end()
}

private final class NoSpan: Span {
  func recordError(_ error: any Error) {}
  func end() {}
}

public func startSpan(_ operationName: String) -> any Span { NoSpan() }
