import ListDiffing

/// The use cases of the scene: what its view may ask for.
@MainActor protocol OwnershipInteractorInput: AnyObject {
  func reloadData()
  func deleteObject(object: Ownership)
  func deleteObject(at path: ListPath)
  func updateObject(at path: ListPath, by data: Ownership)
  func insertObject(by data: Ownership)

  /// Gives the owner of the row another name, on all documents that name this owner.
  func renameOwner(at path: ListPath, to name: String)
  func filterData(containing text: String)
  func sortData(by order: OwnershipOrder)
  func undo()
  func redo()

  /// The view is covered, and wants no changes until ``resume()``.
  func pause()
  func resume()
}
