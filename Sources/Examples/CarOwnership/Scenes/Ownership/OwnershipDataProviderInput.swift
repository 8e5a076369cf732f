import ListDiffing

/// What the interactor asks of its data provider; each request that writes is one commit.
@MainActor protocol OwnershipDataProviderInput: OwnershipDataSource {
  /// Fetches the data; ``OwnershipDataProviderDelegate/providerDidReloadData(_:)`` follows always.
  func reloadData() throws
  /// Shows the documents in which the text stands somewhere, in that order.
  func filterData(containing text: String, order: OwnershipOrder) throws

  func deleteObject(object: Ownership) throws
  func deleteObject(at path: ListPath) throws
  func updateObject(at path: ListPath, by data: Ownership, named name: String) throws
  func insertObject(by data: Ownership) throws

  /// Takes the last change of this program back; its name, or nil if there is none.
  func undo() throws -> String?
  /// Makes the change that was taken back again; its name, or nil if there is none.
  func redo() throws -> String?

  /// Shows the same data until ``resume()``, which tells the difference.
  func pause()
  func resume()
}

/// Who is told what the data provider's data do.
@MainActor protocol OwnershipDataProviderDelegate: AnyObject {
  func providerDidReloadData(_ provider: any OwnershipDataProviderInput)
  /// Another filter or order is in place; its changes have been told before.
  func providerDidFilterData(_ provider: any OwnershipDataProviderInput)

  func providerWillChangeContent(_ provider: any OwnershipDataProviderInput)
  /// A row that comes has no path, one that goes no new path; a car that has lost its owner or its
  /// manufacturer has no document.
  func provider(
    _ provider: any OwnershipDataProviderInput, didChange ownership: Ownership?,
    at path: ListPath?, for type: ChangeKind, newPath: ListPath?)
  /// A section that comes has no index, one that goes no new index.
  func providerDidChangeSection(
    _ provider: any OwnershipDataProviderInput, at index: Int?, for type: ChangeKind,
    newIndex: Int?)
  func providerDidChangeContent(_ provider: any OwnershipDataProviderInput)

  /// The data can't be read; those that are shown stay.
  func provider(_ provider: any OwnershipDataProviderInput, didFail error: any Error)
}
