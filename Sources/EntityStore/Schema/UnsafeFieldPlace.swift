/// The offset and the type of a stored property that is read directly.
///
/// An attribute of such a type is compared without making its stored form. The pointers point to
/// whole, initialised objects that have the property at the offset.
package struct UnsafeFieldPlace: Sendable {
  /// The type of the property.
  package enum Kind: Sendable {
    case int, int32, bool, double, string
    case optionalInt, optionalDouble, optionalString
  }

  package let kind: Kind
  /// The number of bytes after the object's first one.
  package let offset: Int

  /// Creates the place of a property of type `Value`, or returns nil if that is none of the kinds.
  ///
  /// A reference has the layout of its id, which is its only property.
  init?<Value>(_ type: Value.Type, at offset: Int) {
    guard let kind = Self.kind(of: Value.self) else { return nil }
    self.kind = kind
    self.offset = offset
  }

  private static func kind(of type: Any.Type) -> Kind? {
    switch type {
    case is Int64.Type: .int
    case is Int.Type: integer(ofSize: MemoryLayout<Int>.size)
    case is Int32.Type: .int32
    case is Bool.Type: .bool
    case is Double.Type: .double
    case is String.Type: .string
    case is Int64?.Type: .optionalInt
    case is Int?.Type: optional(integer(ofSize: MemoryLayout<Int>.size))
    case is Double?.Type: .optionalDouble
    case is String?.Type: .optionalString
    case let reference as any AnyReference.Type:
      reference.isOptional
        ? optional(kind(of: reference.idType)) : kind(of: reference.idType)
    default: nil
    }
  }

  /// Returns the kind of an `Int`, which has 32 bits if words have.
  private static func integer(ofSize size: Int) -> Kind { size == 8 ? .int : .int32 }

  private static func optional(_ kind: Kind?) -> Kind? {
    switch kind {
    case .int: .optionalInt
    case .double: .optionalDouble
    case .string: .optionalString
    default: nil
    }
  }

  var reader: (UnsafeRawPointer) -> StoredValue {
    let offset = offset
    switch kind {
    case .int: return { .integer($0.load(fromByteOffset: offset, as: Int64.self)) }
    case .int32: return { .integer(Int64($0.load(fromByteOffset: offset, as: Int32.self))) }
    case .bool: return { .integer($0.load(fromByteOffset: offset, as: Bool.self) ? 1 : 0) }
    case .double: return { $0.load(fromByteOffset: offset, as: Double.self).storedValue }
    case .string: return { .text($0.load(fromByteOffset: offset, as: String.self)) }
    case .optionalInt: return { Self.stored($0.load(fromByteOffset: offset, as: Int64?.self)) }
    case .optionalDouble: return { Self.stored($0.load(fromByteOffset: offset, as: Double?.self)) }
    case .optionalString: return { Self.stored($0.load(fromByteOffset: offset, as: String?.self)) }
    }
  }

  private static func stored<Value: Storable>(_ value: Value?) -> StoredValue {
    value?.storedValue ?? .null
  }

  /// Returns true if two objects have the same stored form here.
  func isEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    switch kind {
    case .int: load(a, Int64.self) == load(b, Int64.self)
    case .int32: load(a, Int32.self) == load(b, Int32.self)
    case .bool: load(a, Bool.self) == load(b, Bool.self)
    case .double: load(a, Double.self) == load(b, Double.self)
    case .string:
      haveSameBits(a, b) || TextBytes.equal(load(a, String.self), load(b, String.self))
    case .optionalInt: load(a, Int64?.self) == load(b, Int64?.self)
    case .optionalDouble: load(a, Double?.self) == load(b, Double?.self)
    case .optionalString:
      haveSameBits(a, b) || TextBytes.equal(load(a, String?.self), load(b, String?.self))
    }
  }

  /// Returns true if two texts are the same in memory, as those are that a commit doesn't change.
  ///
  /// They are compared without being retained.
  @inline(__always)
  private func haveSameBits(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    typealias Bits = (UInt64, UInt64)
    return MemoryLayout<String>.size == MemoryLayout<Bits>.size
      && MemoryLayout<String>.alignment == MemoryLayout<Bits>.alignment
      && load(a, Bits.self) == load(b, Bits.self)
  }

  private func load<Value>(_ root: UnsafeRawPointer, _ type: Value.Type) -> Value {
    root.load(fromByteOffset: offset, as: type)
  }
}

extension Ref: AnyReference {
  static var idType: Any.Type { Target.ID.self }
  static var targetName: String { "\(Target.self)" }
  static var isOptional: Bool { false }
}

extension Optional: AnyReference where Wrapped: AnyReference {
  static var idType: Any.Type { Wrapped.idType }
  static var targetName: String { Wrapped.targetName }
  static var isOptional: Bool { true }
}
