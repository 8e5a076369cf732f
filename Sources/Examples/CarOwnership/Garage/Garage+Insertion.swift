import Signalbox

extension Garage {
  /// The error of one of several documents.
  struct InsertionError: Error {
    /// The position of the document.
    var index: Int
    var reason: any Error
  }

  /// Inserts all documents in one commit, or throws and inserts none.
  ///
  /// `progress` is called with the number of inserted documents, after each of them.
  ///
  /// - Throws: ``InsertionError`` if a document can't be inserted, and the errors of the store.
  func insert(_ ownerships: [Ownership], progress: (Int) -> Void) throws {
    let mapping = OwnershipMapping()
    try store.commit { draft in
      for (index, ownership) in ownerships.enumerated() {
        do { try mapping.insert(ownership, into: draft) } catch {
          throw InsertionError(index: index, reason: error)
        }
        progress(index + 1)
      }
    }
  }
}
