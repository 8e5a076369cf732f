import EntityStore

@MainActor func show(_ version: Int64) {}

func run() throws {
  let token = try fleet().commits.subscribe { show($0.version) }
  token.cancel()
}
