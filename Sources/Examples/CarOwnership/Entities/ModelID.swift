/// What tells an entity from all others, in every process.
typealias ModelID = String

extension ModelID {
  /// An identity that nobody else has.
  static func unique() -> ModelID {
    let parts = [UInt64.random(in: .min ... .max), .random(in: .min ... .max)]
    return parts.map { part in
      let digits = String(part, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// The identities of a row and of all that it shows.
struct OwnershipModelIDs: Hashable, Sendable {
  var owner: ModelID
  var car: ModelID
  var manufacturer: ModelID
}
