@_spi(Storage) package import EntityStore

/// The form in which the change log writes the objects of an entity.
///
/// The columns are sorted by name. So two processes whose schemas list them in different orders can
/// read each other's rows, and require the same triggers. A row whose columns have other names, or
/// whose id has its parts in another order, has another signature, and isn't read.
package struct ChangeLogLayout {
  /// A column of the table.
  package struct Place {
    package let name: String
    /// The attribute, and the part of it if it is composite.
    package let attribute: Int
    package let part: Int?
    package let type: StoredType
    package let isOptional: Bool

    /// Returns true if the column may have had a value.
    ///
    /// A row of the change log may contain false values.
    package func mayHave(_ value: StoredValue) -> Bool {
      switch (type, value) {
      case (_, .null): isOptional
      case (.integer, .integer), (.text, .text), (.bytes, .bytes): true
      // SQLite has neither -0.0 nor NaN.
      case (.real, .real(let number)): !number.isNaN && !(number == 0 && number.sign == .minus)
      default: false
      }
    }
  }

  package let entity: EntityDescription
  /// The entity's name.
  package let name: [UInt8]
  /// A number that is very likely different for schemas with other columns.
  package let signature: UInt64
  /// The columns, sorted by name.
  package let places: [Place]
  /// The positions of the id's columns in `places`.
  package let identity: [Int]
  /// The positions of each attribute's columns in `places`.
  private let attributes: [[Int]]
  /// The positions of the unique keys' columns in `places`.
  package let uniquePlaces: [Int]

  package init(_ entity: EntityDescription) {
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
    // Sorted by their bytes. Swift's `<` isn't an order of bytes.
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
    // FNV-1a, which every build computes alike. A byte that no text contains ends a name.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in places {
      for byte in place.name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    // An id is written with its parts in their own order, which is usually that of their names.
    if identity != identity.sorted() {
      for place in identity { hash = (hash ^ UInt64(place)) &* 0x100_0000_01B3 }
    }
    signature = hash
  }

  package func value(of row: EntityRow, in place: Place) -> StoredValue {
    let value = row.value(at: place.attribute)
    guard let part = place.part else { return value }
    if case .list(let parts) = value { return parts[part] }
    return .null
  }

  /// Returns true if an object may have had these values.
  ///
  /// A nil value is unknown.
  package func mayHave(_ values: [StoredValue?]) -> Bool {
    zip(places, values).allSatisfy { place, value in value.map(place.mayHave) ?? true }
  }

  package func mayHave(id values: [StoredValue]) -> Bool {
    zip(identity, values).allSatisfy { !$1.isNull && places[$0].mayHave($1) }
  }

  /// Returns the id that the values of its columns form.
  package func id(_ values: [StoredValue]) -> StoredValue {
    entity.columns[entity.identity].type == .list ? .list(values) : values[0]
  }

  /// Returns an object that wasn't there, or nil if no object can have the id.
  package func absentObject(_ id: [StoredValue]) -> ChangeLogObjects.Object? {
    guard mayHave(id: id) else { return nil }
    return ChangeLogObjects.Object(id: self.id(id), wasAbsent: true, values: [])
  }

  /// Returns an object with all its old values, or nil if no object can have had them.
  package func wholeObject(_ values: [StoredValue]) -> ChangeLogObjects.Object? {
    guard mayHave(values) else { return nil }
    return ChangeLogObjects.Object(
      id: id(identity.map { values[$0] }), wasAbsent: false, values: values)
  }

  /// Returns the values of the attributes that the values of the columns form.
  package func attributes(_ values: [StoredValue]) -> [StoredValue] {
    attributes.indices.map { attribute in
      let places = attributes[attribute]
      guard entity.columns[attribute].type == .list else { return values[places[0]] }
      let parts = places.map { values[$0] }
      // A composite reference is nil as a whole.
      return parts.contains(where: \.isNull) ? .null : .list(parts)
    }
  }
}
