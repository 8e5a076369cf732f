internal import Locking

/// How long a line of an import may be, how many values it may have, and how deep they may stand.
///
///     let limits = JSONLinesLimits(lineBytes: 1 << 30)
///     try store.importJSONLines(from: url, limits: limits)
///
/// A file from elsewhere may be anything. What is beyond a limit is refused as soon as that is known, with
/// ``JSONLinesError/Problem/lineTooLong(limit:)``, ``JSONLinesError/Problem/tooManyValues(limit:)`` or
/// ``JSONLinesError/Problem/tooDeep(limit:)``; no more than a line is held before its objects are made. Besides, a
/// number has at most 4,096 bytes, which are more than any `Double` has when it is written out.
public struct JSONLinesLimits: Hashable, Sendable {
  /// How many bytes a line may have, without its end.
  public var lineBytes: Int
  /// How many objects and lists may stand one in the other.
  public var depth: Int
  /// How many values a line may have, each object and list counted as one, and what it holds besides.
  public var values: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - lineBytes: how many bytes a line may have: 256 MB, unless it is said otherwise. Bytes are a third longer there
  ///     than in the store.
  ///   - depth: how many objects and lists may stand one in the other. An object of this format has at most three.
  ///   - values: how many values a line may have: 65,536, unless it is said otherwise. A value that is read takes some
  ///     dozen bytes of memory, also where it takes two in the file. An object of this format has one for each attribute,
  ///     a header three for each entity.
  /// - Precondition: `lineBytes` and `values` are more than 0, and `depth` is from 1 to 256.
  public init(lineBytes: Int = 256 << 20, depth: Int = 64, values: Int = 65536) {
    mustHold(lineBytes > 0, "A limit of \(lineBytes) bytes a line; use 1 or more")
    mustHold((1...256).contains(depth), "A limit of \(depth) levels; use 1 to 256")
    mustHold(values > 0, "A limit of \(values) values a line; use 1 or more")
    self.lineBytes = lineBytes
    self.depth = depth
    self.values = values
  }
}
