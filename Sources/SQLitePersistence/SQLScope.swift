internal import EntityStore

/// A table in a FROM clause with what is joined to it: the world of one SELECT.
final class SQLScope {
  let entity: EntityDescription
  let alias: String
  private let names: NameSource
  private var joined: [[ReferenceStep]: String] = [:]
  private(set) var joins = ""

  /// Hands out table aliases that are unique in a statement.
  final class NameSource {
    private var count = 0

    func next() -> String {
      defer { count += 1 }
      return "t\(count)"
    }
  }

  init(_ entity: EntityDescription, _ names: NameSource = NameSource()) {
    self.entity = entity
    self.names = names
    alias = names.next()
  }

  func subscope(_ entity: EntityDescription) -> SQLScope { SQLScope(entity, names) }

  var from: String { "\(entity.quotedName) AS \(alias)\(joins)" }

  /// The alias of the table at the end of `steps`.
  ///
  /// Steps through nil give rows of NULL.
  func alias(after steps: [ReferenceStep]) -> String {
    guard let last = steps.last else { return alias }
    if let alias = joined[steps] { return alias }
    let source = alias(after: Array(steps.dropLast()))
    let target = names.next()
    let entity = last.target
    joins +=
      " LEFT JOIN \(entity.quotedName) AS \(target) ON "
      + "\(target).\(entity.quotedColumn(entity.identity)) = "
      + "\(source).\(last.source.quotedColumn(last.column))"
    joined[steps] = target
    return target
  }

  func column(_ path: AttributePath) -> String {
    "\(alias(after: path.steps)).\(path.target.quotedColumn(path.column))"
  }
}
