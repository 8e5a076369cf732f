internal import Locking

/// A value that is read from the object's memory alone, or from related objects with a reader.
enum CompiledValue {
  case own((UnsafeRawPointer) -> StoredValue)
  case foreign((EntityRow, any StorageReader) throws -> StoredValue)

  func callAsFunction(_ row: EntityRow, reading reader: any StorageReader) throws -> StoredValue {
    switch self {
    case .own(let read): withExtendedLifetime(row) { read(row.box.object) }
    case .foreign(let read): try read(row, reader)
    }
  }

  /// Reads the value of a row that isn't retained, whose object's memory is at `object`.
  @inline(__always) func callAsFunction(
    _ row: Unmanaged<RowBox>, _ object: UnsafeRawPointer, reading reader: any StorageReader
  ) throws -> StoredValue {
    switch self {
    case .own(let read): read(object)
    case .foreign(let read): try read(EntityRow(row.takeUnretainedValue()), reader)
    }
  }

  func map(_ transform: @escaping (StoredValue) -> StoredValue) -> CompiledValue {
    switch self {
    case .own(let read): .own { transform(read($0)) }
    case .foreign(let read): .foreign { transform(try read($0, $1)) }
    }
  }

  func combined(
    with other: CompiledValue, _ combine: @escaping (StoredValue, StoredValue) -> StoredValue
  ) -> CompiledValue {
    if case .own(let a) = self, case .own(let b) = other {
      return .own { combine(a($0), b($0)) }
    }
    return .foreign { row, reader in
      combine(try self(row, reading: reader), try other(row, reading: reader))
    }
  }

  func test(_ holds: @escaping (StoredValue) -> Bool) -> CompiledTest {
    switch self {
    case .own(let read): .own { holds(read($0)) }
    case .foreign(let read): .foreign { holds(try read($0, $1)) }
    }
  }

  func test(
    _ other: CompiledValue, _ holds: @escaping (StoredValue, StoredValue) -> Bool
  ) -> CompiledTest {
    if case .own(let a) = self, case .own(let b) = other { return .own { holds(a($0), b($0)) } }
    return .foreign { row, reader in
      holds(try self(row, reading: reader), try other(row, reading: reader))
    }
  }
}
