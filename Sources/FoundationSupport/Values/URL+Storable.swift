public import EntityStore
public import Foundation

extension URL: Storable {
  /// Text.
  public static var storedType: StoredType { .text }

  /// The whole URL as text; what it was relative to is part of it and no longer apart.
  public var storedValue: StoredValue { .text(absoluteString) }

  /// The URL that is written exactly so.
  public init(storedValue: StoredValue) throws {
    // Foundation mends some texts, for example by escaping a space; those are other URLs.
    guard case .text(let text) = storedValue, let url = URL(string: text),
      url.storedValue == storedValue
    else { throw StoredValueError(storedValue, type: URL.self) }
    self = url
  }
}
