public import EntityStore
public import Foundation

extension URL: Storable {
  /// The stored type: text.
  public static var storedType: StoredType { .text }

  /// The whole URL as text.
  ///
  /// A URL that it is relative to becomes a part of it, and isn't separate any more.
  public var storedValue: StoredValue { .text(absoluteString) }

  /// Creates the URL that is written exactly like the stored text.
  ///
  /// - Throws: `StoredValue.Mismatch` if there is no such URL.
  public init(storedValue: StoredValue) throws {
    // Foundation repairs some texts, for example by escaping a space. The results are other URLs.
    // It makes an empty URL, but not of a text.
    guard case .text(let text) = storedValue,
      let url = text.isEmpty ? URLComponents().url : URL(string: text),
      url.storedValue == storedValue
    else { throw StoredValue.Mismatch(storedValue, type: URL.self) }
    self = url
  }
}
