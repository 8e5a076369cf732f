import EntityStore

func remove(_ id: Int, from store: Store) async throws {
  try await store.commit { try $0.delete(Car.self, id) }
}
