/// The stored parts of an id, read in order.
@usableFromInline struct PartReader {
  @usableFromInline let values: [StoredValue]
  @usableFromInline var index = 0

  @usableFromInline init(values: [StoredValue]) { self.values = values }

  @inlinable mutating func next<ID, Value>(_ part: IDPart<ID, Value>) throws -> Value {
    let value = values[index]
    index &+= 1
    return try part.load(value)
  }
}
