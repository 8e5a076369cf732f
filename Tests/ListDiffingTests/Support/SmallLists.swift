import ListDiffing
import TestSupport

/// Domains of lists that are small enough to try whole.
enum SmallLists {
  /// Lists of up to three sections, with unique rows and headers.
  static let unique = sectioned(
    rows: [[], [1], [1, 2, 3], [3, 1]], headers: [[], [1], [1, 2], [2, 1], [3, 1, 2]])

  /// Lists of up to three sections, with copies of rows and of headers, whose content differs.
  static let copies = sectioned(
    rows: [[], [1, 1], [1, 2, 1], [2, 2]], headers: [[], [1], [1, 1], [1, 2], [2, 1, 1]]
  ).map { $0.numbered() }

  /// All lists of sections without rows, of up to four.
  static let headersOnly = subsets(of: [1, 2, 3, 4]).flatMap { permutations(of: $0) }
    .map { $0.map { Section(header: Row(id: $0), rows: []) } }

  /// All flat lists of some of four rows, in any order.
  static let flat = subsets(of: [1, 2, 3, 4]).flatMap { permutations(of: $0) }.map(section)

  /// All flat lists of up to five rows that have two identities, the content of copies being different.
  static let flatCopies = sequences(of: [1, 2], upTo: 5).map { section($0).numbered() }

  /// A flat list: one section, whose header is always the same.
  static func section(_ rows: [Int]) -> [Section] {
    [Section(header: Row(id: 0), rows: rows.map { Row(id: $0) })]
  }

  /// All ways to put rows into sections with the given headers, some of them left empty.
  static func sectioned(rows: [[Int]], headers: [[Int]]) -> [[Section]] {
    rows.flatMap { rows in
      headers.flatMap { headers -> [[Section]] in
        let empty = headers.map { Section(header: Row(id: $0), rows: []) }
        guard !headers.isEmpty else { return rows.isEmpty ? [empty] : [] }
        return rows.reduce([empty]) { lists, row in
          lists.flatMap { list in
            list.indices.map { section in
              var list = list
              list[section].rows.append(Row(id: row))
              return list
            }
          }
        }
      }
    }
  }
}

extension [Section] {
  /// The same list, headers and rows with an odd identity in a newer version.
  func renewed() -> [Section] {
    map {
      let header = Row(id: $0.header.id, version: $0.header.version + $0.header.id % 2)
      return Section(header: header, rows: $0.rows.renewed())
    }
  }

  /// The same list, each copy of a header or row in a version of its own.
  func numbered() -> [Section] {
    var headers: [Int: Int] = [:]
    var rows: [Int: Int] = [:]
    func number(_ row: Row, in counts: inout [Int: Int]) -> Row {
      counts[row.id, default: -1] += 1
      return Row(id: row.id, version: counts[row.id] ?? 0)
    }
    return map { section in
      Section(
        header: number(section.header, in: &headers),
        rows: section.rows.map { number($0, in: &rows) })
    }
  }
}
