@_spi(Storage) extension FetchPlan: CustomStringConvertible {
  /// The request in one line.
  ///
  /// For example `Car where Car.year > 1990 by Car.model ascending; Car.id ascending`.
  public var description: String {
    var parts = [entity.name]
    if let filter { parts.append("where \(filter)") }
    if !order.isEmpty { parts.append("by \(order.map(\.description).joined(separator: "; "))") }
    if !values.isEmpty {
      parts.append("with \(values.map(\.description).joined(separator: ", "))")
    }
    if let limit { parts.append("at most \(limit)") }
    if offset > 0 { parts.append("after \(offset)") }
    return parts.joined(separator: " ")
  }
}
