import EntityStore

func save(_ car: Car, in store: Store) throws {
  try store.commit { try $0.update(car) }
}
