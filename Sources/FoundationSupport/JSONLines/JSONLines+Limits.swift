internal import Locking

extension JSONLines {
  /// Limits for the lines of an import: their length, their number of values, and their nesting.
  ///
  ///     let limits = JSONLines.Limits(lineBytes: 1 << 30)
  ///     try store.importJSONLines(from: url, limits: limits)
  ///
  /// A file from elsewhere may contain anything. A line beyond a limit is refused as soon as that
  /// is known, with ``JSONLinesError/Problem/lineTooLong(limit:)``,
  /// ``JSONLinesError/Problem/tooManyValues(limit:)`` or
  /// ``JSONLinesError/Problem/tooDeep(limit:)``. No more than one line is held before its objects
  /// are made. In addition, a number has at most 4,096 bytes. That is more than any `Double` has
  /// when it is written out.
  ///
  /// A limit that `init` doesn't take can't be set either; it traps.
  public struct Limits: Hashable, Sendable {
    /// The number of bytes that a line may have, without its line end.
    public var lineBytes: Int { didSet { check() } }
    /// The number of objects and lists that may be nested in each other.
    public var depth: Int { didSet { check() } }
    /// The number of values that a line may have.
    ///
    /// Each object and list counts as one, and the values in it count as well.
    public var values: Int { didSet { check() } }

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - lineBytes: The number of bytes that a line may have; by default 256 MB. Bytes are a
    ///     third longer in a line than in the store.
    ///   - depth: The number of objects and lists that may be nested in each other. An object of
    ///     this format has at most three.
    ///   - values: The number of values that a line may have; by default 65,536. A value that is
    ///     read takes some dozen bytes of memory, even if it takes only two in the file. An object
    ///     of this format has one value for each attribute. A header has three for each entity.
    /// - Precondition: `lineBytes` and `values` are more than 0, and `depth` is from 1 to 256.
    public init(lineBytes: Int = 256 << 20, depth: Int = 64, values: Int = 65536) {
      self.lineBytes = lineBytes
      self.depth = depth
      self.values = values
      check()
    }

    private func check() {
      mustHold(lineBytes > 0, "A limit of \(lineBytes) bytes a line; use 1 or more")
      mustHold((1...256).contains(depth), "A limit of \(depth) levels; use 1 to 256")
      mustHold(values > 0, "A limit of \(values) values a line; use 1 or more")
    }
  }
}
