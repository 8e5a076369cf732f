import EntityStore

func run() throws {
  try fleet().read { reader in try reader.delete(Car.self, 1) }
}
