internal import Locking

/// The rules of an entity without its type.
struct EntityRules: Sendable {
  struct Check: Sendable {
    let name: String
    let isMet: @Sendable (EntityRow) -> Bool
  }

  /// The keys that no two objects share, as positions among the columns.
  private(set) var uniqueKeys: [[Int]] = []
  /// The indexes that the schema asks for, as positions among the columns.
  private(set) var indexes: [[Int]] = []
  /// The positions of columns whose words are indexed.
  private(set) var fullText: [Int] = []
  /// The positions of columns that have an optional type and must not be nil.
  private(set) var required: [Int] = []
  private(set) var checks: [Check] = []
  private(set) var formerNames: [String] = []
  /// The names of attributes that the entity had and no longer has.
  private(set) var droppedNames: [String] = []

  init<Root>(_ rules: [Rule<Root>], _ places: [AnyKeyPath: Int], of name: String) {
    for rule in rules {
      let key = rule.paths.map { path -> Int in
        guard let place = places[path] else {
          mistake("A rule of \(name) names a property that its schema doesn't")
        }
        return place
      }
      switch rule.kind {
      case .check, .renamedFrom, .dropped: break
      case .unique, .index, .required, .fullText:
        mustHold(
          !key.isEmpty, "A rule of \(name) names no property; name those that it is about")
      }
      switch rule.kind {
      case .unique: uniqueKeys.append(key)
      case .index: indexes.append(key)
      case .fullText:
        mustHold(
          fullText.isEmpty, "The schema of \(name) has two rules .fullText; name all texts in one")
        fullText = key
      case .required: required += key
      case .check(let name, let isMet): checks.append(Check(name: name, isMet: isMet))
      case .renamedFrom(let names): formerNames += names
      case .dropped(let names): droppedNames += names
      }
    }
  }
}
