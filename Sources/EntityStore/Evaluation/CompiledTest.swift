internal import Locking

/// A truth, found in the object's memory alone or with a reader of others.
///
/// It is no generic type beside `CompiledValue`, since a closure in one is called through another.
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

  /// 1 or 0.
  var value: CompiledValue {
    switch self {
    case .own(let test): .own { StoredValue(test($0)) }
    case .foreign(let test): .foreign { StoredValue(try test($0, $1)) }
    }
  }
}
