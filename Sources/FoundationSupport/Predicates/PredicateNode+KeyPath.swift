@_spi(Storage) internal import EntityStore
internal import Foundation

extension PredicateExpressions.KeyPath: PredicateNode {
  func operand(in translator: PredicateTranslator) throws(Untranslatable) -> PredicateOperand {
    try translator.operand(root).flatMap { (each) throws(Untranslatable) in
      switch each.meaning {
      case .object:
        return PredicateOperand(.expression(try attribute(in: translator)))
      case .constant(let constant):
        guard let root = constant.value as? Root.Output else {
          throw translator.unknown(Self.self)
        }
        return PredicateOperand(.constant(PredicateConstant(root[keyPath: keyPath])))
      case .expression(let expression):
        return PredicateOperand(.expression(try part(of: expression, in: translator)))
      case .range:
        throw translator.unknown(Self.self)
      }
    }
  }

  private func attribute(in translator: PredicateTranslator) throws(Untranslatable)
    -> QueryExpression
  {
    let entity = translator.entity
    guard let column = entity.columnIfListed(keyPath) else {
      throw translator.failure(
        keyPath.readableName, "only properties that the schema lists are attributes; list it there")
    }
    return .column(column, of: entity)
  }

  /// Returns a property of an attribute's value, as far as a query supports it.
  private func part(of whole: QueryExpression, in translator: PredicateTranslator)
    throws(Untranslatable) -> QueryExpression
  {
    let path: AnyKeyPath = keyPath
    if path == \String.isEmpty { return .compare(.equal, whole, .constant(.text(""))) }
    if path == \Data.isEmpty || path == \[UInt8].isEmpty {
      return .compare(.equal, whole, .constant(.bytes([])))
    }
    // A reference is stored as the id that it holds.
    if let reference = Root.Output.self as? any ReferenceType.Type, path == reference.idPath {
      return whole
    }
    if Root.Output.self is any CompositeID.Type, case .attribute(let id) = whole,
      let part = place(of: path, in: id.target.columns[id.column])
    {
      return .attribute(
        AttributePath(root: id.root, steps: id.steps, column: id.column, part: part))
    }
    throw translator.failure(keyPath.readableName, advice)
  }

  /// Returns the position of a property among the parts of a composite id or of a reference to it.
  private func place(of path: AnyKeyPath, in column: Column) -> Int? {
    // The reference has the parts, but not their key paths.
    let target = column.reference?.target
    return (target.map { $0.columns[$0.identity] } ?? column).part(path)
  }

  private var advice: String {
    if Root.Output.self is any RawRepresentable.Type { return "compare the attribute itself" }
    if kind == .collectionCount { return "ask isEmpty, or keep the count as an attribute" }
    return "an attribute is stored as a whole; keep what is asked for as an attribute of its own"
  }
}

/// A reference to any entity.
private protocol ReferenceType {
  static var idPath: AnyKeyPath { get }
}

extension Ref: ReferenceType {
  fileprivate static var idPath: AnyKeyPath { \Ref<Target>.id }
}
