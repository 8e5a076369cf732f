public struct TextFolding: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let `case` = TextFolding(rawValue: 1)
  public static let diacritics = TextFolding(rawValue: 2)
  package func fold(_ text: String) -> [UInt8] {
    Array(contains(.case) ? text.lowercased().utf8 : text.utf8)
  }
}
enum NaturalOrder {
  static func compare(_ a: String, _ b: String) -> Int { TextBytes.compare(a, b) }
}
enum CaseInsensitiveOrder {
  static func compare(_ a: String, _ b: String) -> Int { TextBytes.compare(a, b) }
}
