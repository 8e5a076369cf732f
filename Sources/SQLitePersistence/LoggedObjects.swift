internal import EntityStore

/// What rows of the log say: what each object was before the first of them.
///
/// Rows are added in the order of their versions. Of what several say of one value the first holds.
struct LoggedObjects {
  /// What is known of an object.
  struct Object {
    let id: StoredValue
    /// Whether it wasn't there.
    let wasAbsent: Bool
    /// Its values in the order of the layout; nil where no row says it, so that it didn't change.
    var values: [StoredValue?]
  }

  /// The objects of an entity.
  struct Table {
    let layout: LogLayout
    fileprivate(set) var objects: [Object] = []
    private var places: [StoredValue: Int] = [:]

    fileprivate init(_ layout: LogLayout) { self.layout = layout }

    /// Takes in what a row says of an object.
    mutating func add(_ object: Object) {
      guard let place = places[object.id] else {
        places[object.id] = objects.count
        return objects.append(object)
      }
      if objects[place].wasAbsent || object.wasAbsent { return }
      for (index, value) in object.values.enumerated() where objects[place].values[index] == nil {
        objects[place].values[index] = value
      }
    }
  }

  private(set) var tables: [Table]
  /// By the names of entities, as SQLite compares them.
  private let places: [[UInt8]: Int]

  /// For the entities that a store was opened with.
  init(_ layouts: [LogLayout]) {
    tables = layouts.map(Table.init)
    places = Dictionary(layouts.enumerated().map { (Self.folded($1.name), $0) }) { first, _ in first
    }
  }

  /// Takes in a row.
  ///
  /// - Returns: false if it can't be read, so that nothing is known.
  mutating func add(row: [UInt8]) -> Bool {
    switch row.first {
    case LogWriter.form:
      var reader = LogReader(row)
      return reader.read {
        self.table(named: $0)
      } add: {
        tables[$0].add($1)
      }
    case TriggerRowReader.form:
      var reader = TriggerRowReader(row)
      return reader.read {
        self.table(named: $0)
      } add: {
        tables[$0].add($1)
      }
    default: return false
    }
  }

  private func table(named name: [UInt8]) -> (place: Int, layout: LogLayout)? {
    places[Self.folded(name)].map { ($0, tables[$0].layout) }
  }

  private static func folded(_ name: [UInt8]) -> [UInt8] {
    name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}

/// Reads what `LogWriter` has written.
struct LogReader {
  private let row: [UInt8]
  private var place = 1

  init(_ row: [UInt8]) { self.row = row }

  /// Reads the objects of those entities that are known.
  ///
  /// - Returns: false if the row is none that can be read.
  mutating func read(
    _ table: ([UInt8]) -> (place: Int, layout: LogLayout)?,
    add: (Int, LoggedObjects.Object) -> Void
  ) -> Bool {
    while place < row.count {
      guard let count = count(), let name = bytes(count), let signature: UInt64 = number(),
        let length: UInt32 = number(), Int(length) <= row.count - place
      else { return false }
      let end = place + Int(length)
      guard let (index, layout) = table(Array(name)) else {
        place = end
        continue
      }
      guard layout.signature == signature else { return false }
      while place < end {
        guard let object = object(layout) else { return false }
        add(index, object)
      }
      if place != end { return false }
    }
    return true
  }

  private mutating func object(_ layout: LogLayout) -> LoggedObjects.Object? {
    guard place < row.count else { return nil }
    let kind = row[place]
    place += 1
    switch kind {
    case LogWriter.inserted:
      guard let id = values(layout.identity.count) else { return nil }
      return LoggedObjects.Object(id: layout.id(id), wasAbsent: true, values: [])
    case LogWriter.deleted:
      guard let values = values(layout.places.count) else { return nil }
      return LoggedObjects.Object(
        id: layout.id(layout.identity.map { values[$0] }), wasAbsent: false, values: values)
    case LogWriter.updated:
      guard let id = values(layout.identity.count),
        let mask = bytes((layout.places.count + 7) / 8).map(Array.init)
      else { return nil }
      var values = [StoredValue?](repeating: nil, count: layout.places.count)
      for (index, value) in zip(layout.identity, id) { values[index] = value }
      for index in values.indices where mask[index / 8] & 1 << UInt8(index % 8) != 0 {
        guard let value = value() else { return nil }
        values[index] = value
      }
      return LoggedObjects.Object(id: layout.id(id), wasAbsent: false, values: values)
    default: return nil
    }
  }

  private mutating func values(_ count: Int) -> [StoredValue]? {
    var values: [StoredValue] = []
    for _ in 0..<count {
      guard let value = value() else { return nil }
      values.append(value)
    }
    return values
  }

  private mutating func value() -> StoredValue? {
    guard place < row.count else { return nil }
    let kind = row[place]
    place += 1
    switch kind {
    case LogWriter.null: return .null
    case LogWriter.integer:
      return groups().map { .integer(Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1)) }
    case LogWriter.real:
      guard let bits: UInt64 = number() else { return nil }
      return .real(Double(bitPattern: bits))
    case LogWriter.text:
      return count().flatMap { bytes($0) }.map { .text(String(decoding: $0, as: UTF8.self)) }
    case LogWriter.bytes: return count().flatMap { bytes($0) }.map { .bytes(Array($0)) }
    default: return nil
    }
  }

  private mutating func groups() -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while place < row.count, shift < 64 {
      let byte = row[place]
      place += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    return nil
  }

  private mutating func count() -> Int? { groups().flatMap { Int(exactly: $0) } }

  private mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= row.count - place else { return nil }
    defer { place += count }
    return row[place..<place + count]
  }

  private mutating func number<Number: FixedWidthInteger>() -> Number? {
    let size = Number.bitWidth / 8
    return bytes(size).map { bytes in
      bytes.reversed().reduce(into: Number(0)) { $0 = ($0 << 8) | Number(truncatingIfNeeded: $1) }
    }
  }
}
