/// An error, or what a closure captures, that calls back when it goes.
public final class CallingError: Error {
  private let end: @Sendable () -> Void

  /// An error at whose end a closure is called.
  public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
