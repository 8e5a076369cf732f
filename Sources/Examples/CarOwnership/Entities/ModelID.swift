/// The identity of an entity, which is unique across all processes.
typealias ModelID = String

extension ModelID {
  /// Returns a new unique identity.
  static func unique() -> ModelID {
    let parts = [UInt64.random(in: .min ... .max), .random(in: .min ... .max)]
    return parts.map { part in
      let digits = String(part, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// The identities of a row and of everything that it shows.
struct OwnershipModelIDs: Hashable, Sendable {
  var owner: ModelID
  var car: ModelID
  var manufacturer: ModelID
}
