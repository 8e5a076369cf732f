import EntityStore

func run() throws -> Draft {
  try fleet().commit { draft in draft }
}
