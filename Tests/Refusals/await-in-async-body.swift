import EntityStore

func load() async -> Int { 1 }
func run() async throws {
  try await fleet().commitAsync { draft in
    let id = await load()
    try draft.delete(Car.self, id)
  }
}
