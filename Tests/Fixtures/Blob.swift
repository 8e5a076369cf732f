package import EntityStore

/// An object whose bytes are an array.
package struct Blob: Entity {
  package let id: Int
  package var bytes: [UInt8]
  package static let attributes = Attributes(.id(\Blob.id), .attribute("bytes", \.bytes))
  package static let schema = Schema(attributes, Blob.init)

  package init(id: Int, bytes: [UInt8]) {
    self.id = id
    self.bytes = bytes
  }
}

/// The ways to write an object whose array is made in the same expression.
///
/// They are here and not with the tests, which are never optimised: an optimised function may put such an array on its
/// stack if the library hides from the compiler that it keeps it.
package enum BlobWriting: String, CaseIterable, Sendable {
  case insert, upsert, update, updateInPlace, insertMany

  /// The bytes of the blob with an id.
  package static func bytes(_ id: Int) -> [UInt8] { [UInt8(id), 1, UInt8(id * 3)] }

  /// Writes blobs with some ids.
  ///
  /// - Throws: What committing throws.
  package func write(_ ids: Range<Int>, to store: Store) throws {
    if self == .update || self == .updateInPlace {
      try store.commit { draft in
        for id in ids { try draft.insert(Blob(id: id, bytes: [])) }
      }
    }
    try store.commit { draft in
      switch self {
      case .insert:
        for id in ids { try draft.insert(Blob(id: id, bytes: [UInt8(id), 1, UInt8(id * 3)])) }
      case .upsert:
        for id in ids { try draft.upsert(Blob(id: id, bytes: [UInt8(id), 1, UInt8(id * 3)])) }
      case .update:
        for id in ids { try draft.update(Blob(id: id, bytes: [UInt8(id), 1, UInt8(id * 3)])) }
      case .updateInPlace:
        for id in ids {
          try draft.update(Blob.self, id) { $0.bytes = [UInt8(id), 1, UInt8(id * 3)] }
        }
      case .insertMany:
        try draft.insert(
          contentsOf: ids.map { Blob(id: $0, bytes: [UInt8($0), 1, UInt8($0 * 3)]) })
      }
    }
  }
}
