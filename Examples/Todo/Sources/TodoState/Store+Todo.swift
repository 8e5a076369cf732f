public import Signalbox

extension Store {
  /// Opens the app's store.
  ///
  /// - Parameter path: The path of its file, or nil for one in memory.
  /// - Returns: The store, which keeps a history for undo. A file keeps it for the next launch.
  /// - Throws: `StoreError` if the file can't be opened.
  public static func todos(at path: String? = nil) throws -> Store {
    guard let path else {
      let store = try Store(.inMemory, entities: [Todo.self])
      store.historyLimit = 100
      return store
    }
    return try Store(
      .sqlite(path: path, watching: .none, historyLimit: 100), entities: [Todo.self])
  }

  /// Adds something to do.
  ///
  /// - Parameters:
  ///   - title: What is to do.
  ///   - list: The title of its list.
  /// - Returns: Its id.
  /// - Throws: `StoreError` if the title is empty.
  @discardableResult
  public func addTodo(_ title: String, to list: String) throws -> Int {
    try commit(named: "Add \(title)") { draft in
      let id = try draft.nextID(Todo.self)
      try draft.insert(Todo(id: id, title: title, list: list))
      return id
    }
  }

  /// Deletes all that is done, in one commit.
  ///
  /// - Throws: `StoreError` if the file can't be written.
  public func clearDoneTodos() throws {
    try commit(named: "Clear") { draft in
      _ = try draft.deleteAll(Query<Todo>().filter { $0.isDone })
    }
  }

  /// Makes a store in memory with a few things to do, for previews and tests.
  ///
  /// - Returns: The store.
  /// - Throws: `StoreError`, which isn't expected here.
  public static func sampleTodos() throws -> Store {
    let store = try todos()
    try store.commit { draft in
      for (id, title) in ["Bread", "Tea", "Apples"].enumerated() {
        try draft.insert(Todo(id: id, title: title, isDone: id == 1))
      }
      try draft.insert(Todo(id: 3, title: "Report", list: "Work"))
    }
    return store
  }
}
