internal import EntityStore

/// How the log writes down the objects of an entity.
///
/// The columns come in the order of their names, so that two processes whose schemas list them in
/// another order read each other's rows and want the same triggers. A row whose columns have other
/// names has another signature, and isn't read.
struct ChangeLogLayout {
  /// A column of the table.
  struct Place {
    let name: String
    /// The attribute, and the part of it if that is composite.
    let attribute: Int
    let part: Int?
    let type: StoredType
    let isOptional: Bool

    /// Whether the column may have had a value: a row of the log may lie.
    func mayHave(_ value: StoredValue) -> Bool {
      switch (type, value) {
      case (_, .null): isOptional
      case (.integer, .integer), (.text, .text), (.bytes, .bytes): true
      // SQLite has neither -0.0 nor what isn't a number.
      case (.real, .real(let number)): !number.isNaN && !(number == 0 && number.sign == .minus)
      default: false
      }
    }
  }

  let entity: EntityDescription
  /// The entity's name.
  let name: [UInt8]
  /// A number that schemas with other columns hardly have.
  let signature: UInt64
  /// The columns, in the order of their names.
  let places: [Place]
  /// Where the columns of the id stand among them.
  let identity: [Int]
  /// Where the columns of each attribute stand among them.
  private let attributes: [[Int]]
  /// Where the columns of unique keys stand among them.
  let uniquePlaces: [Int]

  init(_ entity: EntityDescription) {
    self.entity = entity
    name = Array(entity.name.utf8)
    var places: [Place] = []
    for (attribute, column) in entity.columns.enumerated() {
      let isComposite = column.type == .list
      for (part, column) in column.sqlColumns.enumerated() {
        places.append(
          Place(
            name: column.name, attribute: attribute, part: isComposite ? part : nil,
            type: column.type, isOptional: column.isOptional))
      }
    }
    // By their bytes: Swift's `<` is no order of bytes.
    places.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    self.places = places
    var attributes: [[Int]] = entity.columns.map { _ in [] }
    for (index, place) in places.enumerated() { attributes[place.attribute].append(index) }
    for attribute in attributes.indices {
      attributes[attribute].sort { places[$0].part ?? 0 < places[$1].part ?? 0 }
    }
    self.attributes = attributes
    identity = attributes[entity.identity]
    uniquePlaces = entity.uniqueKeys.flatMap { $0 }.flatMap { attributes[$0] }
    // FNV-1a, which every build computes alike; a byte that no text has ends a name.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in places {
      for byte in place.name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    signature = hash
  }

  /// The value of a row in one of the columns.
  func value(of row: EntityRow, in place: Place) -> StoredValue {
    let value = row.value(at: place.attribute)
    guard let part = place.part else { return value }
    if case .list(let parts) = value { return parts[part] }
    return .null
  }

  /// The values of a row in all columns.
  func values(of row: EntityRow) -> [StoredValue] { places.map { value(of: row, in: $0) } }

  /// Whether SQLite gives an id to an object that is inserted without one: the id is the row's number.
  var givesIDs: Bool { identity.count == 1 && places[identity[0]].type == .integer }

  /// What SQLite calls the row's number, or nothing if columns have all its names.
  var rowNumberNames: [String] { (try? entity.rowNumberName()).map { [$0] } ?? [] }

  /// Whether an object may have had these values; those that are nil aren't known.
  func mayHave(_ values: [StoredValue?]) -> Bool {
    zip(places, values).allSatisfy { place, value in value.map(place.mayHave) ?? true }
  }

  /// Whether an object may have such an id.
  func mayHave(id values: [StoredValue]) -> Bool {
    zip(identity, values).allSatisfy { !$1.isNull && places[$0].mayHave($1) }
  }

  /// The id that its columns make.
  func id(_ values: [StoredValue]) -> StoredValue {
    entity.columns[entity.identity].type == .list ? .list(values) : values[0]
  }

  /// The values of the attributes that the columns make.
  func attributes(_ values: [StoredValue]) -> [StoredValue] {
    attributes.indices.map { attribute in
      let places = attributes[attribute]
      guard entity.columns[attribute].type == .list else { return values[places[0]] }
      let parts = places.map { values[$0] }
      // A reference is nil as a whole.
      return parts.contains(where: \.isNull) ? .null : .list(parts)
    }
  }
}
