import EntityStore

func run() throws {
  try fleet().commit { draft in
    Task { try draft.delete(Car.self, 1) }
  }
}
