public import EntityStore
public import Foundation

extension ValueComparator where Value == String {
  /// Returns the order of text in a language's dictionaries.
  ///
  ///     query.sorted { [$0.name.ascending(by: .localized())] }
  ///
  /// Invisible characters are left out. Texts that are equal so far are in the order of their
  /// bytes. Queries with the order of one locale are equal. It is the order of the system, which
  /// may change with a new version of the system. Nothing of it is stored.
  public static func localized(_ locale: Locale = .current) -> ValueComparator {
    // An order must not change, as `.autoupdatingCurrent` would.
    let identifier = locale.identifier
    return ComparatorCache.comparator(.localized(identifier)) {
      let order = LocalizedOrder(Locale(identifier: identifier))
      return ValueComparator("localized, \(identifier)", comparing: order.compare)
    }
  }

  /// The order of text that people expect in a list of files, in the current locale.
  ///
  ///     query.sorted { [$0.name.ascending(by: .localizedStandard)] }
  ///
  /// Upper and lower case count as the same, and runs of digits are compared by their number. The
  /// text between them is in the order of a language's dictionaries. Texts that are equal so far
  /// are in the order of ``localized(_:)``, and then of their bytes.
  public static var localizedStandard: ValueComparator { localizedStandard(.current) }

  /// Returns the order of text that people expect in a list of files, in a locale.
  public static func localizedStandard(_ locale: Locale) -> ValueComparator {
    let identifier = locale.identifier
    return ComparatorCache.comparator(.localizedStandard(identifier)) {
      let order = LocalizedOrder(Locale(identifier: identifier))
      return ValueComparator(
        "localized standard, \(identifier)", comparing: order.compareNaturally)
    }
  }
}

extension ValueComparator where Value: Comparable {
  /// The order of the type's own `<`.
  static var comparable: ValueComparator {
    ComparatorCache.comparator(.comparable(ObjectIdentifier(Value.self))) {
      ValueComparator("the < of \(Value.self)") { $0 < $1 }
    }
  }
}
