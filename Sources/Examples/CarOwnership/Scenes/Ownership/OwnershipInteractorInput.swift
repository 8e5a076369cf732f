import ListDiffing

/// The use cases of the scene: the requests of its view.
@MainActor protocol OwnershipInteractorInput: AnyObject {
  func reloadData()
  func deleteObject(object: Ownership)
  func deleteObject(at path: ListPath)
  func updateObject(at path: ListPath, by data: Ownership)
  func insertObject(by data: Ownership)

  /// Renames the owner of the row, on all documents of this owner.
  func renameOwner(at path: ListPath, to name: String)
  func filterData(containing text: String)
  func sortData(by order: OwnershipOrder)
  func undo()
  func redo()

  /// Stops changes until ``resume()``, because the view is covered.
  func pause()
  func resume()
}
