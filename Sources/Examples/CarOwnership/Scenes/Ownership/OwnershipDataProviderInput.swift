import ListDiffing

/// The requests of the interactor to its data provider.
///
/// Each request that writes is one commit.
@MainActor protocol OwnershipDataProviderInput: OwnershipDataSource {
  /// Fetches the data.
  ///
  /// ``OwnershipDataProviderDelegate/providerDidReloadData(_:)`` always follows.
  func reloadData() throws
  /// Shows the documents that contain the text, in that order.
  func filterData(containing text: String, order: OwnershipOrder) throws

  func deleteObject(object: Ownership) throws
  func deleteObject(at path: ListPath) throws
  func updateObject(at path: ListPath, by data: Ownership, named name: String) throws
  func insertObject(by data: Ownership) throws
  /// Changes the name of the row's owner, and nothing else.
  func renameOwner(at path: ListPath, to newName: String, named name: String) throws

  /// Undoes the last change of this program.
  ///
  /// It returns the name of the change, or nil if there is none.
  func undo() throws -> String?
  /// Redoes the change that was undone.
  ///
  /// It returns the name of the change, or nil if there is none.
  func redo() throws -> String?

  /// Keeps the visible data until ``resume()``, which delivers the difference.
  func pause()
  func resume()
}

/// The delegate that receives the changes of the data provider's data.
@MainActor protocol OwnershipDataProviderDelegate: AnyObject {
  func providerDidReloadData(_ provider: any OwnershipDataProviderInput)
  /// Called when another filter or order is active.
  ///
  /// Its changes have been delivered before.
  func providerDidFilterData(_ provider: any OwnershipDataProviderInput)

  func providerWillChangeContent(_ provider: any OwnershipDataProviderInput)
  /// Called for a changed row.
  ///
  /// An inserted row has no path, a deleted row no new path. A car that has lost its owner or its
  /// manufacturer has no document.
  func provider(
    _ provider: any OwnershipDataProviderInput, didChange ownership: Ownership?,
    at path: ListPath?, for type: ChangeKind, newPath: ListPath?)
  /// Called for a changed section.
  ///
  /// An inserted section has no index, a deleted section no new index.
  func providerDidChangeSection(
    _ provider: any OwnershipDataProviderInput, at index: Int?, for type: ChangeKind,
    newIndex: Int?)
  func providerDidChangeContent(_ provider: any OwnershipDataProviderInput)

  /// Called when the data can't be read.
  ///
  /// The visible data stay.
  func provider(_ provider: any OwnershipDataProviderInput, didFail error: any Error)
}
