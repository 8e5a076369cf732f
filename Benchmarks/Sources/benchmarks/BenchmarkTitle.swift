/// A name of the form `Layer/what/size`, such as `Relays/send/100`.
struct BenchmarkTitle: Hashable, CustomStringConvertible {
  let layer: String
  let what: String
  let size: String

  /// The parts of `text`, or nil unless there are three of them and each is well formed.
  ///
  /// The layer is a capitalised word, like a module's name. The other two hold anything
  /// printable except slashes, with no space at either end.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, Self.isLayer(parts[0]), parts[1...].allSatisfy(Self.isPart) else {
      return nil
    }
    (layer, what, size) = (parts[0], parts[1], parts[2])
  }

  /// The size as a number, or nil if it is not one.
  var number: Int? {
    guard size.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(size)
  }

  /// What the benchmarks of one chart share.
  var group: String { "\(layer)/\(what)" }

  var description: String { "\(group)/\(size)" }

  private static func isLayer(_ part: String) -> Bool {
    guard let first = part.first, first.isASCII, first.isUppercase else { return false }
    return part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  private static func isPart(_ part: String) -> Bool {
    guard let first = part.first, let last = part.last else { return false }
    let controls = part.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return !first.isWhitespace && !last.isWhitespace && !controls
  }
}
