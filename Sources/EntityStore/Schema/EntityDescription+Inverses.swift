internal import Locking

// A reference names the other side's to-many property, and that is made of a reference. The compiler can't
// see that they are the same: the property is computed. Queries go by the name, and reading the objects of an owner
// by what the property is made of, so both have to agree.

extension EntityDescription {
  /// The column of the reference whose inverse is the to-many property at `path`.
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

  /// Checks that no two references name one inverse.
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

  /// Checks, with an object made of sample values, that the inverse of each reference is made of that reference.
  ///
  /// The targets' schemas must have been made. Where there are no samples, it is checked when objects are read by
  /// the inverse.
  func checkInversesOfSamples() {
    for column in references {
      guard let reference = columns[column].reference, let inverse = reference.inverse,
        let sample = reference.target.sample
      else { continue }
      checkInverse(at: inverse.path, madeOf: inverse.reference(sample))
    }
  }

  /// Checks that the reference which names an inverse, if one does, is the one that the inverse is made of.
  func checkInverse(at path: AnyKeyPath, madeOf reference: AnyKeyPath) {
    guard let named = columnIfNamed(inverse: path), access[named].path != reference else { return }
    let words = columns[named].reference?.inverse?.words ?? "Many"
    let found = columnIfListed(reference).map { "\(name).\(columns[$0].name)" } ?? "\(reference)"
    mistake(
      "\(name).\(columns[named].name) names as its inverse a \(words) that is made of \(found); make that Many of "
        + "\(access[named].path), or name another property as the inverse")
  }
}
