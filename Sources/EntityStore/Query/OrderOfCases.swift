internal import Locking

/// The order of an enum's cases, by which queries can't go if it differs from that of stored forms.
///
/// Queries compare stored forms, in memory and in SQL, so an enum is in the order of its raw
/// values. A `<` of its own that says otherwise would be ignored without a word.
package enum OrderOfCases {
  /// Traps if a type is an enum whose `<` isn't the order of its stored forms.
  ///
  /// Only the cases of a `CaseIterable` enum are known.
  package static func check<Value>(_ type: Value.Type) {
    if let type = Value.self as? any (CaseIterable & Comparable & Storable).Type {
      checkCases(type)
    }
  }

  private static func checkCases<Value: CaseIterable & Comparable & Storable>(
    _ type: Value.Type
  ) {
    let cases = Value.allCases.sorted { $0.storedValue < $1.storedValue }
    let forms = Value.self is any RawRepresentable.Type ? "raw values" : "stored forms"
    for (first, second) in zip(cases, cases.dropFirst()) where second < first {
      mistake(
        "\(Value.self) is ordered by its \(forms) in queries, where \(first) comes before "
          + "\(second), and its < says otherwise; give it raw values in its own order, such as those "
          + "of an Int, or state the order: ascending(by: ValueComparator), and for sections "
          + "sectioned(by:title:order:)")
    }
  }
}

/// A check that a query makes again when its order changes.
///
/// It follows from the query's type, so it is no part of what distinguishes queries.
package struct CasesCheck: Hashable, Sendable {
  let run: @Sendable () -> Void

  package static func == (a: CasesCheck, b: CasesCheck) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

extension QueryDescription {
  /// Traps if sections are in the order of an enum's raw values, and its `<` is another one.
  ///
  /// Sections are in the order of the first ordering if it is on the same field.
  func checkCasesOfSections() {
    guard case .key(let expression)? = sectioning, orderings.first?.expression != expression else {
      return
    }
    casesCheck?.run()
  }
}
