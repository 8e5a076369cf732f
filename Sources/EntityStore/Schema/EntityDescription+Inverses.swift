internal import Locking

// A reference names the other side's to-many property as its inverse, and that property is made of
// a reference. The compiler can't check that the two references are the same, since the property is
// computed. Queries use the inverse that the reference names. Reading the objects of an owner uses
// the reference of which the property is made. So both have to agree.

extension EntityDescription {
  /// Returns the column of the reference whose inverse is the to-many property at `path`.
  func referenceColumn(inverse path: AnyKeyPath) -> Int {
    guard let column = columnIfNamed(inverse: path) else {
      mistake(
        "No reference of \(name) names \(path) as its inverse; say .one(…, inverse: …) in its schema"
      )
    }
    return column
  }

  private func columnIfNamed(inverse path: AnyKeyPath) -> Int? {
    references.first { columns[$0].reference?.inverse?.path == path }
  }

  /// Checks that no two references name the same inverse.
  func checkInverses() {
    var named: [AnyKeyPath: Int] = [:]
    for column in references {
      guard let inverse = columns[column].reference?.inverse,
        let other = named.updateValue(column, forKey: inverse.path)
      else { continue }
      mistake(
        "\(name).\(columns[other].name) and \(name).\(columns[column].name) name one inverse, a \(inverse.words), "
          + "which is made of one reference; give each a Many of its own, or one of them no inverse"
      )
    }
  }

  /// Checks that each inverse is made of the reference that names it.
  ///
  /// The check uses an object made of sample values. The targets' schemas must have been made.
  /// Without samples, an inverse is checked when objects are read by it.
  func checkInversesOfSamples() {
    for column in references {
      guard let reference = columns[column].reference, let inverse = reference.inverse,
        let sample = reference.target.sample
      else { continue }
      checkInverse(at: inverse.path, madeOf: inverse.reference(sample))
    }
  }

  /// Checks that an inverse is made of the reference that names it, if there is one.
  func checkInverse(at path: AnyKeyPath, madeOf reference: AnyKeyPath) {
    guard let named = columnIfNamed(inverse: path), access[named].path != reference else { return }
    let words = columns[named].reference?.inverse?.words ?? "Many"
    let found = columnIfListed(reference).map { "\(name).\(columns[$0].name)" } ?? "\(reference)"
    mistake(
      "\(name).\(columns[named].name) names as its inverse a \(words) that is made of \(found); make that Many of "
        + "\(access[named].path), or name another property as the inverse")
  }
}
