import EntityStore

func run() throws -> Reader {
  try fleet().read { reader in reader }
}
