#if PostgreSQL
internal import CPostgreSQL
@_spi(Storage) internal import EntityStore

/// The types of columns, by the numbers that every server gives them.
enum ServerType: Oid {
  case bigint = 20
  case double = 701
  case text = 25
  case bytea = 17

  init(_ type: StoredType) {
    self =
      switch type {
      case .integer: .bigint
      case .real: .double
      case .text: .text
      case .bytes, .list: .bytea
      }
  }

  func isType(of value: StoredValue) -> Bool {
    switch (self, value) {
    case (.bigint, .integer), (.double, .real), (.text, .text), (.bytea, .bytes): true
    default: false
    }
  }

  /// The number of the type of arrays of it.
  var array: Oid {
    switch self {
    case .bigint: 1016
    case .double: 1022
    case .text: 1009
    case .bytea: 1001
    }
  }

  /// The SQL of the type of values.
  var name: String {
    switch self {
    case .bigint: "bigint"
    case .double: "double precision"
    case .text: "text"
    case .bytea: "bytea"
    }
  }

  /// The SQL of a column's type, in which texts are compared by their bytes.
  var sql: String { self == .text ? "text COLLATE \"C\"" : name }

  var arraySQL: String { "\(name)[]" }
}
#endif
