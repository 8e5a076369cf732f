import ListDiffing

/// The identifiers of a list, as a diffable data source takes them.
struct DiffableSnapshot {
  /// The identity of a section or row, and which of its copies it is.
  struct Identifier: Hashable, CustomStringConvertible {
    let id: Int
    let copy: Int

    var description: String { copy == 0 ? "\(id)" : "\(id), copy \(copy)" }
  }

  let sections: [Identifier]
  let items: [[Identifier]]

  /// The identities that are there more than once.
  let headerCopies: Set<Int>
  let copies: Set<Int>

  init(of list: [Section], isNumbering: Bool) {
    var headerCounts: [Int: Int] = [:]
    var counts: [Int: Int] = [:]
    func numbered(_ row: Row, in counts: inout [Int: Int]) -> Identifier {
      let copy = counts[row.id, default: 0]
      counts[row.id] = copy + 1
      return Identifier(id: row.id, copy: isNumbering ? copy : 0)
    }
    sections = list.map { numbered($0.header, in: &headerCounts) }
    items = list.map { $0.rows.map { numbered($0, in: &counts) } }
    headerCopies = Set(headerCounts.filter { $0.value > 1 }.keys)
    copies = Set(counts.filter { $0.value > 1 }.keys)
  }

  /// Throws if an identifier is there twice.
  func verifyUnique() throws(HostViolation) {
    for identifiers in [sections, Array(items.joined())] {
      var seen: Set<Identifier> = []
      for identifier in identifiers where !seen.insert(identifier).inserted {
        throw .copies("\(identifier)")
      }
    }
  }
}
