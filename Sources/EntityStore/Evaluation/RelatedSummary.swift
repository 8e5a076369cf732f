/// The values of related objects, and the one value that is made of them.
///
/// The result doesn't depend on the order in which values are added.
struct RelatedSummary {
  private let aggregate: RelatedAggregate
  private var count = 0
  private var whole = WholeSum()
  private var real = ExactSum()
  private var extreme: StoredValue?

  init(_ aggregate: RelatedAggregate) { self.aggregate = aggregate }

  mutating func add(_ value: StoredValue) {
    if value.isNull { return }
    count += 1
    switch aggregate {
    case .wholeSum, .realSum, .average:
      switch value {
      case .integer(let number): whole.add(number)
      case .real(let number): real.add(number)
      case .bytes(let bytes) where bytes.count == 8:
        // The stored form of `UInt64`, the highest byte first.
        whole.add(bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
      case .null, .text, .bytes, .list: break
      }
    case .least: if extreme.map({ value.compare(to: $0) < 0 }) ?? true { extreme = value }
    case .greatest: if extreme.map({ value.compare(to: $0) > 0 }) ?? true { extreme = value }
    case .list: break
    }
  }

  /// Returns the value.
  ///
  /// - Throws: ``StoreError/overflow(entity:)`` if a sum of whole numbers is beyond `Int`.
  func value(of entity: EntityDescription) throws -> StoredValue {
    switch aggregate {
    case .least, .greatest, .list: return extreme ?? .null
    case .average where count == 0: return .null
    case .realSum: return Self.stored(real.total)
    case .wholeSum, .average: break
    }
    guard let sum = whole.total else { throw StoreError.overflow(entity: entity.name) }
    if aggregate == .wholeSum { return .integer(Int64(sum)) }
    // The values of one field are either all whole or all with a fraction.
    return Self.stored((Double(sum) + real.total) / Double(count))
  }

  /// Returns the stored form of a sum, which is nil if infinities of both signs were added: no
  /// stored value is NaN (S8).
  private static func stored(_ number: Double) -> StoredValue {
    number.isNaN ? .null : number.storedValue
  }
}
