/// The order of an owner's cars.
enum OwnershipOrder: String, CaseIterable, Sendable {
  case model, manufacturer, mileage

  /// The next order.
  ///
  /// The first order follows the last.
  var next: OwnershipOrder {
    let all = Self.allCases
    let index = all.firstIndex(of: self).map { $0 + 1 } ?? 0
    return all[index % all.count]
  }
}
