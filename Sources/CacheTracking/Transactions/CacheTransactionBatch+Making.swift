public import ListDiffing

extension CacheTransactionBatch {
  /// Creates the batch of some changes.
  ///
  ///     let diff = ListDiff(from: old, to: new)
  ///     let batch = CacheTransactionBatch(
  ///       changes: diff.changes, objectType: "Car",
  ///       deleted: { old[$0.row].model }, fresh: { new[$0.row].model })
  ///
  /// Each closure is called once for each object that is needed. Inserts and moves are in the order
  /// of the new list, deletes and updates in the order of the old list.
  ///
  /// - Parameters:
  ///   - changes: The changes of sections and rows.
  ///   - objectType: The name of the objects' type.
  ///   - filterValue: The tag of the request that the batch belongs to.
  ///   - deleted: A closure that returns the last value of the object at an old path.
  ///   - fresh: A closure that returns the value of the object at a new path.
  /// - Throws: The error that `deleted` or `fresh` throws.
  /// - Precondition: `objectType` is not empty.
  public init(
    changes: ListChanges, objectType: String, filterValue: String? = nil,
    deleted: (ListPath) throws -> Output, fresh: (ListPath) throws -> Output
  ) rethrows {
    self.init(sectionChanges: changes, filterValue: filterValue)
    func add(_ change: RowChange, _ object: Output) {
      self.add(CacheTransaction(object: object, objectType: objectType, change: change))
    }
    for path in changes.inserts { add(.insert(at: path), try fresh(path)) }
    for update in changes.updates {
      add(.update(from: update.old, to: update.new), try fresh(update.new))
    }
    for path in changes.deletes { add(.delete(from: path), try deleted(path)) }
    for move in changes.moves { add(.move(from: move.old, to: move.new), try fresh(move.new)) }
  }

  /// Creates the first batch of a sectioned list.
  ///
  /// It has an insert for each section and each object, in order.
  ///
  ///     let batch = CacheTransactionBatch(
  ///       initial: [["Golf"], ["Polo", "Beetle"]], objectType: "Car")
  ///     batch.insertTransactions.count  // 3
  ///
  /// It leads from a list without sections to `objects`.
  ///
  /// - Parameters:
  ///   - objects: The objects of each section.
  ///   - objectType: The name of the objects' type.
  ///   - filterValue: The tag of the request that the batch belongs to.
  /// - Precondition: `objectType` is not empty, unless there are no objects.
  public init(initial objects: [[Output]], objectType: String, filterValue: String? = nil) {
    self.init(
      sectionChanges: ListChanges(insertedSections: Array(objects.indices)),
      filterValue: filterValue)
    for (section, rows) in objects.enumerated() {
      addInserts(of: rows, section: section, objectType: objectType)
    }
  }

  /// Creates the first batch of a flat list.
  ///
  /// It has an insert for each object, in order. It leads from an empty flat list to `objects`, and
  /// has no change of sections.
  ///
  /// - Parameters:
  ///   - objects: The objects.
  ///   - objectType: The name of the objects' type.
  ///   - filterValue: The tag of the request that the batch belongs to.
  /// - Precondition: `objectType` is not empty, unless there are no objects.
  public init(initialRows objects: [Output], objectType: String, filterValue: String? = nil) {
    self.init(filterValue: filterValue)
    addInserts(of: objects, section: 0, objectType: objectType)
  }

  private mutating func addInserts(of rows: [Output], section: Int, objectType: String) {
    for (row, object) in rows.enumerated() {
      let change = RowChange.insert(at: ListPath(section: section, row: row))
      add(CacheTransaction(object: object, objectType: objectType, change: change))
    }
  }
}
