/// What an owner's cars are sorted by.
enum OwnershipOrder: String, CaseIterable, Sendable {
  case model, manufacturer, mileage

  /// The next one, and after the last the first.
  var next: OwnershipOrder {
    let all = Self.allCases
    let index = all.firstIndex(of: self).map { $0 + 1 } ?? 0
    return all[index % all.count]
  }
}
