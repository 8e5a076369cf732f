internal import Locking

/// A test that reads the object's memory alone, or related objects with a reader.
///
/// It and `CompiledValue` aren't one generic type, since a closure in a generic type is called
/// through another closure.
enum CompiledTest {
  case own((UnsafeRawPointer) -> Bool)
  case foreign((EntityRow, any StorageReader) throws -> Bool)

  func callAsFunction(_ row: EntityRow, reading reader: any StorageReader) throws -> Bool {
    switch self {
    case .own(let test): withExtendedLifetime(row) { test(row.box.object) }
    case .foreign(let test): try test(row, reader)
    }
  }

  static prefix func ! (test: CompiledTest) -> CompiledTest {
    switch test {
    case .own(let test): .own { !test($0) }
    case .foreign(let test): .foreign { !(try test($0, $1)) }
    }
  }

  /// The value 1 or 0.
  var value: CompiledValue {
    switch self {
    case .own(let test): .own { StoredValue(test($0)) }
    case .foreign(let test): .foreign { StoredValue(try test($0, $1)) }
    }
  }
}
