import EntityStore

func run() throws {
  try fleet().commits.subscribe { print($0.version) }
}
