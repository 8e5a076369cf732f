public import EntityStore
public import Foundation

extension ValueComparator where Value == String {
  /// Text as a language's dictionaries have it.
  ///
  ///     query.sorted { [$0.name.ascending(by: .localized())] }
  ///
  /// Characters that aren't seen are left out. Texts that are equal so far are in the order of their
  /// bytes. The order of a locale is made once, so queries with it are equal. It is the system's,
  /// which a new version of the system may change; nothing of it is stored.
  public static func localized(_ locale: Locale = .current) -> ValueComparator {
    // An order must not change, as `.autoupdatingCurrent` would.
    let identifier = locale.identifier
    return ComparatorCache.shared.comparator(.localized(identifier)) {
      let order = LocalizedOrder(Locale(identifier: identifier))
      return ValueComparator("localized, \(identifier)", comparing: order.compare)
    }
  }

  /// Text as people expect it in a list of files, in the current locale: upper and lower case alike,
  /// runs of digits by their number, and between these as a language's dictionaries have it.
  ///
  ///     query.sorted { [$0.name.ascending(by: .localizedStandard)] }
  ///
  /// Texts that are equal so far are in the order of ``localized(_:)``, and then of their bytes.
  public static var localizedStandard: ValueComparator { localizedStandard(.current) }

  /// Text as people expect it in a list of files, in a locale.
  public static func localizedStandard(_ locale: Locale) -> ValueComparator {
    let identifier = locale.identifier
    return ComparatorCache.shared.comparator(.localizedStandard(identifier)) {
      let order = LocalizedOrder(Locale(identifier: identifier))
      return ValueComparator(
        "localized standard, \(identifier)", comparing: order.compareNaturally)
    }
  }
}

extension ValueComparator where Value: Comparable {
  /// The order of the type's own `<`.
  static var comparable: ValueComparator {
    ComparatorCache.shared.comparator(.comparable(ObjectIdentifier(Value.self))) {
      ValueComparator("the < of \(Value.self)") { $0 < $1 }
    }
  }
}
