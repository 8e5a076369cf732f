internal import EntityStore

/// What a trigger logs: text that SQL can write, and that says every value exactly.
///
/// `T`, the entity's name, a comma, the signature of its columns and a semicolon; then the objects: of
/// an inserted one `I` and the id, of others `R` and all values that it had, each with a semicolon
/// behind. Values have commas between them, and begin with what they are: `n` for NULL, `i` and a
/// number, `r` and one with a fraction, `t` and `b` and the bytes of text and of a blob. Bytes, names
/// and signatures are hexadecimal.
enum TriggerRow {
  /// A value of a column as SQL writes it.
  private static func value(_ column: String) -> String {
    "CASE typeof(\(column)) WHEN 'integer' THEN 'i' || \(column) WHEN 'real' THEN 'r' || "
      + "quote(\(column)) WHEN 'text' THEN 't' || hex(\(column)) WHEN 'blob' THEN 'b' || "
      + "hex(\(column)) ELSE 'n' END"
  }

  /// In groups, so that a wide table's expression isn't deeper than SQLite allows.
  private static func joined(_ expressions: [String]) -> String {
    var groups = expressions
    while groups.count > 1 {
      groups = stride(from: 0, to: groups.count, by: 32).map { start in
        let group = groups[start..<min(start + 32, groups.count)]
        return "(" + group.joined(separator: " || ") + ")"
      }
    }
    return groups[0]
  }

  private static func record(_ mark: String, _ names: [String], of row: String) -> String {
    let values = names.enumerated().map { index, name in
      "'\(index == 0 ? mark : ",")' || " + value("\(row).\(SQLName.quoted(name))")
    }
    return joined(values + ["';'"])
  }

  /// An object that was there, `row` being `OLD`, or the table.
  static func replaced(_ layout: LogLayout, _ row: String) -> String {
    record("R", layout.places.map(\.name), of: row)
  }

  /// An object that wasn't there, in `NEW`.
  static func inserted(_ layout: LogLayout) -> String {
    record("I", layout.identity.map { layout.places[$0].name }, of: "NEW")
  }

  /// The row that says this of objects.
  static func blob(_ layout: LogLayout, _ records: [String]) -> String {
    let head = "'T\(hexadecimal(layout.name)),\(String(layout.signature, radix: 16));'"
    return "CAST(\(joined([head] + records)) AS BLOB)"
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// Reads what a trigger has logged.
struct TriggerRowReader {
  /// The first byte: `T`.
  static let form: UInt8 = 0x54

  private let row: [UInt8]
  private var place = 1

  init(_ row: [UInt8]) { self.row = row }

  /// Reads the objects if their entity is known.
  ///
  /// - Returns: false if the row is none that can be read.
  mutating func read(
    _ table: ([UInt8]) -> (place: Int, layout: LogLayout)?,
    add: (Int, LoggedObjects.Object) -> Void
  ) -> Bool {
    guard let name = field(",").flatMap(Self.bytes), let signature = field(";") else {
      return false
    }
    guard let (index, layout) = table(name) else { return true }
    guard UInt64(String(decoding: signature, as: UTF8.self), radix: 16) == layout.signature else {
      return false
    }
    while place < row.count {
      guard let object = object(layout) else { return false }
      add(index, object)
    }
    return true
  }

  private mutating func object(_ layout: LogLayout) -> LoggedObjects.Object? {
    let kind = row[place]
    place += 1
    switch kind {
    case UInt8(ascii: "I"):
      guard let id = values(layout.identity.count), Self.areExact(id) else { return nil }
      return LoggedObjects.Object(
        id: layout.id(id.map(\.value)), wasAbsent: true, values: [])
    case UInt8(ascii: "R"):
      guard let values = values(layout.places.count) else { return nil }
      let id = layout.identity.map { values[$0] }
      guard Self.areExact(id) else { return nil }
      return LoggedObjects.Object(
        id: layout.id(id.map(\.value)), wasAbsent: false, values: values.map(\.value))
    default: return nil
    }
  }

  /// Whether an id can be looked up: text that is no UTF-8 reads as other text.
  private static func areExact(_ values: [(value: StoredValue, isExact: Bool)]) -> Bool {
    values.allSatisfy(\.isExact)
  }

  private mutating func values(_ count: Int) -> [(value: StoredValue, isExact: Bool)]? {
    var values: [(value: StoredValue, isExact: Bool)] = []
    for index in 0..<count {
      guard let field = field(index == count - 1 ? ";" : ","), let value = Self.value(field) else {
        return nil
      }
      values.append(value)
    }
    return values
  }

  /// What stands before the next `end`.
  private mutating func field(_ end: Unicode.Scalar) -> ArraySlice<UInt8>? {
    guard let stop = row[place...].firstIndex(of: UInt8(ascii: end)) else { return nil }
    defer { place = stop + 1 }
    return row[place..<stop]
  }

  private static func value(_ field: ArraySlice<UInt8>) -> (value: StoredValue, isExact: Bool)? {
    let rest = field.dropFirst()
    switch field.first {
    case UInt8(ascii: "n"): return (.null, true)
    case UInt8(ascii: "i"):
      return Int64(String(decoding: rest, as: UTF8.self)).map { (.integer($0), true) }
    case UInt8(ascii: "r"):
      // "Inf" and "9.0e+999" are infinity, as one version of SQLite or another writes it.
      return Double(String(decoding: rest, as: UTF8.self)).map { (.real($0), true) }
    case UInt8(ascii: "t"):
      return bytes(rest).map { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        return (.text(text), text.utf8.elementsEqual(bytes))
      }
    case UInt8(ascii: "b"): return bytes(rest).map { (.bytes($0), true) }
    default: return nil
    }
  }

  private static func bytes(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var place = digits.startIndex
    while place < digits.endIndex {
      guard let high = digit(digits[place]), let low = digit(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
      place += 2
    }
    return bytes
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
