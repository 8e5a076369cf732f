internal import Locking

/// A compiler that turns expressions about one entity into closures.
struct ExpressionCompiler {
  let entity: EntityDescription

  func value(_ expression: QueryExpression) -> CompiledValue {
    switch expression {
    case .attribute(let path): attribute(path)
    case .constant(let value): .own { _ in value }
    case .count(let path, let condition): count(path, condition)
    case .related(.list(let order), let path, let value, let condition):
      list(path, value, by: order, condition)
    case .related(let aggregate, let path, let value, let condition):
      related(aggregate, path, value, condition)
    case .computed(let computation, let operands): computed(computation, operands.map(value))
    case .rank(let path, let pattern): rank(path, pattern)
    default: test(expression).value
    }
  }

  /// Returns the test of a condition; a value is true if it is a whole number other than 0.
  func test(_ condition: QueryExpression) -> CompiledTest {
    switch condition {
    case .comparison(let comparison, let a, let b): compare(comparison, a, b)
    case .moment:
      mistake(
        "\(condition) moves with time and is asked of one object here; use it in a query, which is "
          + "fetched at an instant")
    case .isIn(let value, let values): isIn(value, values)
    case .text(let test, let text, let part, let folding): self.text(test, text, part, folding)
    case .matches(let path, let pattern): matches(path, pattern)
    case .and(let parts): all(parts.map(test))
    case .or(let parts): any(parts.map(test))
    case .not(let part): !test(part)
    case .attribute, .constant, .count, .related, .computed, .rank:
      value(condition).test { $0.isTrue }
    }
  }

  // MARK: Values

  /// Checks the entity, since an object's memory would otherwise be read as another entity's.
  private func check(_ root: EntityDescription) {
    mustHold(
      root == entity,
      "An expression on \(root.name) is compiled for \(entity.name); give the entity that it is about"
    )
  }

  private func attribute(_ path: AttributePath) -> CompiledValue {
    check(path.root)
    let read = path.target.access[path.column].read
    let part: (StoredValue) -> StoredValue
    if let index = path.part {
      part = { if case .list(let parts) = $0 { parts[index] } else { .null } }
    } else {
      part = { $0 }
    }
    if path.steps.isEmpty { return .own(path.part == nil ? read : { part(read($0)) }) }
    let steps = path.steps
    return .foreign { row, reader in
      guard let last = try follow(steps, from: row, reading: reader) else { return .null }
      return withExtendedLifetime(last) { part(read(last.box.object)) }
    }
  }

  private func computed(_ computation: Computation, _ operands: [CompiledValue]) -> CompiledValue {
    operands.count == 1
      ? operands[0].map { computation($0) }
      : operands[0].combined(with: operands[1]) { computation($0, $1) }
  }

  private func rank(_ path: SearchPath, _ pattern: SearchPattern) -> CompiledValue {
    check(path.root)
    let rank = SearchRank(path, pattern)
    return .foreign { row, reader in .real(try rank.score(of: row, reading: reader)) }
  }

  /// Returns a value that is made of the objects that refer to the owner at the end of a path.
  ///
  /// Several objects may have the same owner. A reader with a memory then has the value made once.
  /// `none` is the value if there is no owner.
  private func value(
    over path: ManyPath, none: @autoclosure @escaping () throws -> StoredValue,
    _ make: @escaping (_ owner: EntityRow, any StorageReader) throws -> StoredValue
  ) -> CompiledValue {
    check(path.root)
    if path.steps.isEmpty { return .foreign(make) }
    let expression = Token()
    return .foreign { row, reader in
      guard let owner = try follow(path.steps, from: row, reading: reader) else {
        return try none()
      }
      guard let memo = reader as? SharedReader else { return try make(owner, reader) }
      return try memo.value(of: owner.id, madeBy: ObjectIdentifier(expression)) {
        try make(owner, memo)
      }
    }
  }

  /// The identity of a compiled expression.
  private final class Token {}

  private func count(_ path: ManyPath, _ condition: QueryExpression?) -> CompiledValue {
    let condition = condition.map { ExpressionCompiler(entity: path.target).test($0) }
    return value(over: path, none: .integer(0)) { owner, reader in
      guard let condition else {
        return .integer(Int64(try path.ids(of: owner, reading: reader).count))
      }
      return .integer(Int64(try path.rows(of: owner, where: condition, reading: reader).count))
    }
  }

  private func related(
    _ aggregate: RelatedAggregate, _ path: ManyPath, _ value: QueryExpression,
    _ condition: QueryExpression?
  ) -> CompiledValue {
    let value = ExpressionCompiler(entity: path.target).value(value)
    let condition = condition.map { ExpressionCompiler(entity: path.target).test($0) }
    let none = FieldSummary()
    return self.value(over: path, none: try aggregate.value(of: none, in: path.target)) {
      owner, reader in
      var values = FieldSummary()
      for many in try path.rows(of: owner, where: condition, reading: reader) {
        values.add(try value(many, reading: reader))
      }
      return try aggregate.value(of: values, in: path.target)
    }
  }

  private func list(
    _ path: ManyPath, _ value: QueryExpression, by order: [SortKey], _ condition: QueryExpression?
  ) -> CompiledValue {
    let compiler = ExpressionCompiler(entity: path.target)
    let value = compiler.value(value)
    let condition = condition.map(compiler.test)
    let keys = order.map { compiler.value($0.expression) }
    return self.value(over: path, none: .list([])) { owner, reader in
      let rows = try path.rows(of: owner, where: condition, reading: reader).map { many in
        (
          keys: try keys.map { try $0(many, reading: reader) }, id: many.id,
          value: try value(many, reading: reader)
        )
      }
      let sorted = rows.sorted { a, b in
        for (index, key) in order.enumerated() {
          let order = key.compare(a.keys[index], b.keys[index])
          if order != 0 { return order < 0 }
        }
        return a.id < b.id
      }
      return .list(sorted.map(\.value).filter { !$0.isNull })
    }
  }

  // MARK: Truth

  private func compare(
    _ comparison: Comparison, _ a: QueryExpression, _ b: QueryExpression
  ) -> CompiledTest {
    if let place = ownPlace(a), case .constant(let constant) = b,
      let test = place.test(comparison, constant)
    {
      return .own(test)
    }
    return value(a).test(value(b)) { comparison.holds($0, $1) }
  }

  /// Returns the place of the expression's value in the object, if it is one of its attributes.
  private func ownPlace(_ expression: QueryExpression) -> UnsafeFieldPlace? {
    guard case .attribute(let path) = expression, path.steps.isEmpty, path.part == nil else {
      return nil
    }
    check(path.root)
    return entity.access[path.column].place
  }

  private func isIn(_ value: QueryExpression, _ values: [StoredValue]) -> CompiledTest {
    let values = Set(values)
    if let place = ownPlace(value), let test = place.isIn(values) { return .own(test) }
    return self.value(value).test { !$0.isNull && values.contains($0) }
  }

  private func text(
    _ test: TextTest, _ text: QueryExpression, _ part: QueryExpression, _ folding: TextFolding
  ) -> CompiledTest {
    if case .constant(let part) = part {
      guard case .text(let part) = part else { return .own { _ in false } }
      let sought = TextSearch(test, part, ignoring: folding)
      if let place = ownPlace(text), place.kind == .string {
        let offset = place.offset
        return .own { sought.holds($0.load(fromByteOffset: offset, as: String.self)) }
      }
      return value(text).test { if case .text(let text) = $0 { sought.holds(text) } else { false } }
    }
    return value(text).test(value(part)) { text, part in
      guard case .text(let text) = text, case .text(let part) = part else { return false }
      return TextSearch(test, part, ignoring: folding).holds(text)
    }
  }

  private func matches(_ path: SearchPath, _ pattern: SearchPattern) -> CompiledTest {
    check(path.root)
    if pattern.node == .all { return .own { _ in true } }
    let reads = path.columns.map { path.target.access[$0].read }
    func test(_ object: UnsafeRawPointer) -> Bool {
      pattern.matches(
        reads.compactMap { read in
          if case .text(let text) = read(object) { text } else { nil }
        })
    }
    if path.steps.isEmpty { return .own(test) }
    return .foreign { row, reader in
      guard let last = try follow(path.steps, from: row, reading: reader) else { return false }
      return withExtendedLifetime(last) { test(last.box.object) }
    }
  }

  private func all(_ parts: [CompiledTest]) -> CompiledTest {
    joined(parts, none: true, own: { a, b in { a($0) && b($0) } }) { parts in
      .foreign { row, reader in try parts.allSatisfy { try $0(row, reading: reader) } }
    }
  }

  private func any(_ parts: [CompiledTest]) -> CompiledTest {
    joined(parts, none: false, own: { a, b in { a($0) || b($0) } }) { parts in
      .foreign { row, reader in try parts.contains { try $0(row, reading: reader) } }
    }
  }

  /// Joins the parts into one; those that read the object alone come before the others.
  ///
  /// They are joined in pairs, so that many parts make a flat tree of calls.
  private func joined(
    _ parts: [CompiledTest], none: Bool,
    own join: (
      @escaping (UnsafeRawPointer) -> Bool, @escaping (UnsafeRawPointer) -> Bool
    ) -> (UnsafeRawPointer) -> Bool,
    foreign: ([CompiledTest]) -> CompiledTest
  ) -> CompiledTest {
    var own: [(UnsafeRawPointer) -> Bool] = []
    var others: [CompiledTest] = []
    for part in parts {
      if case .own(let test) = part { own.append(test) } else { others.append(part) }
    }
    while own.count > 1 {
      own = stride(from: 0, to: own.count, by: 2).map { index in
        index + 1 < own.count ? join(own[index], own[index + 1]) : own[index]
      }
    }
    guard let first = own.first else {
      return others.isEmpty ? .own { _ in none } : foreign(others)
    }
    return others.isEmpty ? .own(first) : foreign([.own(first)] + others)
  }
}

extension ManyPath {
  /// Returns the ids of the objects that refer to an owner, in no particular order.
  fileprivate func ids(
    of owner: EntityRow, reading reader: any StorageReader
  ) throws -> [StoredValue] {
    try reader.ids(of: target, where: [column], equal: [owner.id])
  }

  /// Returns the objects that refer to an owner and pass a test, in no particular order.
  fileprivate func rows(
    of owner: EntityRow, where condition: CompiledTest?, reading reader: any StorageReader
  ) throws -> [EntityRow] {
    let memo = reader as? SharedReader
    let rows = try memo?.referrers(self, to: owner.id) ?? reader.readReferrers(self, to: owner.id)
    guard let condition else { return rows }
    return try rows.filter { try condition($0, reading: reader) }
  }
}

extension StorageReader {
  /// Returns the objects that refer to an owner, in no particular order.
  func readReferrers(_ path: ManyPath, to owner: StoredValue) throws -> [EntityRow] {
    var found: [EntityRow]?
    if readsAhead {
      try readTogether(path.target, path.column, among: [owner]) { rows, _ in found = rows }
    }
    return try found
      ?? ids(of: path.target, where: [path.column], equal: [owner]).compactMap {
        try row(of: path.target, id: $0)
      }
  }
}

/// Returns the object at the end of `steps`, or nil if a reference is nil or its object is missing.
package func follow(
  _ steps: [ReferenceStep], from row: EntityRow, reading reader: any StorageReader
) throws -> EntityRow? {
  var row = row
  for step in steps {
    let id = withExtendedLifetime(row) { step.source.access[step.column].read(row.box.object) }
    guard !id.isNull, let next = try reader.row(of: step.target, id: id) else { return nil }
    row = next
  }
  return row
}

extension Comparison {
  func holds(_ a: StoredValue, _ b: StoredValue) -> Bool {
    switch self {
    case .equal: return a == b
    case .notEqual: return a != b
    default: break
    }
    guard !a.isNull, !b.isNull else { return false }
    return holds(order: a.compare(to: b))
  }

  /// Returns true if it holds for two values in this order, neither of which is nil.
  func holds(order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}
