extension SortKey {
  /// Returns a function that reads the prefix of a whole number that is never nil.
  ///
  /// Such a prefix of the first key is exact. The result is nil for other keys.
  func exactPrefixReader(of entity: EntityDescription) -> ((UnsafeRawPointer) -> UInt64)? {
    guard let place = place(in: entity), place.kind == .int else { return nil }
    let offset = place.offset
    let mask = exactMask
    return { UInt64(bitPattern: $0.load(fromByteOffset: offset, as: Int64.self)) ^ mask }
  }

  /// Returns a function that reads the prefix, if the object alone determines it.
  ///
  /// `form` is the prepared expression.
  func prefixReader(
    of entity: EntityDescription, _ form: CompiledExpression
  ) -> ((UnsafeRawPointer) -> UInt64)? {
    if let exact = exactPrefixReader(of: entity) { return exact }
    guard case .own(let read) = form.read else { return nil }
    guard let place = place(in: entity), place.kind == .string else {
      return { self.prefix(of: read($0)) }
    }
    // The text is read in place, and no stored form is made.
    let offset = place.offset
    return { object in
      let text = object.advanced(by: offset).assumingMemoryBound(to: String.self)
      return directed(StoredValue.firstBytes(text.pointee.utf8))
    }
  }

  /// Returns the place of the compared value, if it is a property that is read directly and
  /// unchanged.
  private func place(in entity: EntityDescription) -> UnsafeFieldPlace? {
    guard collation == .stored, case .attribute(let path) = expression, path.steps.isEmpty,
      path.part == nil
    else { return nil }
    return entity.access[path.column].place
  }

  /// The bits in which such a prefix differs from the number.
  private var exactMask: UInt64 { isAscending ? 1 << 63 : ~(1 << 63) }

  /// Returns the prefix of a first key that is a whole number and never nil.
  func exactPrefix(of number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ exactMask }

  /// Returns a number that is less than another value's, or the same, if this value comes first.
  func prefix(of value: StoredValue) -> UInt64 {
    if value.isNull { return nilsFirst ? 0 : .max }
    guard collation == .stored else { return nilsFirst ? .max : 0 }
    return directed(value.orderedPrefix)
  }

  /// Returns the prefix of a value that isn't nil, made of a number that orders all values.
  private func directed(_ bits: UInt64) -> UInt64 {
    let directed = (isAscending ? bits : ~bits) >> 1
    return nilsFirst ? directed | (1 << 63) : directed
  }
}

extension StoredValue {
  /// A number that is less than that of another value of the type, or the same, if this one comes
  /// first.
  var orderedPrefix: UInt64 {
    switch self {
    case .null: return 0
    case .integer(let number): return UInt64(bitPattern: number) ^ (1 << 63)
    case .real(let number):
      // A server sorts NaN behind all numbers.
      if number.isNaN { return .max }
      let pattern = (number == 0 ? 0 : number).bitPattern
      return pattern >> 63 == 0 ? pattern ^ (1 << 63) : ~pattern
    case .text(let text): return Self.firstBytes(text.utf8)
    case .bytes(let bytes): return Self.firstBytes(bytes)
    case .list(let parts): return parts.first?.orderedPrefix ?? 0
    }
  }

  /// Returns the value of a type that has the place of this one in SQL's order, or the nearest.
  ///
  /// Another program may have written a value of another type. SQL sorts numbers before text, and
  /// text before bytes.
  package func nearest(of type: StoredType) -> StoredValue {
    switch (type, self) {
    case (.integer, .real(let number)):
      // Also NaN, which no number is less than.
      if !(number < 0x1p63) { return .integer(.max) }
      return .integer(number < -0x1p63 ? .min : Int64(number.rounded(.down)))
    case (.integer, .text), (.integer, .bytes): return .integer(.max)
    case (.real, .integer(let number)): return .real(Double(number))
    // A server's NaN is given as text, too.
    case (.real, .text), (.real, .bytes): return .real(.nan)
    case (.text, .integer), (.text, .real): return .text("")
    // No text has such bytes.
    case (.text, .bytes): return .bytes([UInt8](repeating: .max, count: 8))
    case (.bytes, .integer), (.bytes, .real), (.bytes, .text): return .bytes([])
    default: return self
    }
  }

  /// Returns the first eight bytes as a number, in the order of the bytes.
  @inline(__always) static func firstBytes(_ bytes: some Collection<UInt8>) -> UInt64 {
    bytes.withContiguousStorageIfAvailable(firstBytes(of:))
      ?? Array(bytes).withUnsafeBufferPointer(firstBytes(of:))
  }

  private static func firstBytes(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    if bytes.count >= 8 {
      return UInt64(bigEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(as: UInt64.self))
    }
    var result: UInt64 = 0
    for index in bytes.indices { result |= UInt64(bytes[index]) << UInt64(56 - 8 * index) }
    return result
  }
}
