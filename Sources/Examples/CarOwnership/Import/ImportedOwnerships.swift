import Foundation

/// The cars of a file.
///
/// All of them are read and checked before anything is written.
struct ImportedOwnerships {
  /// A document and the number of its line.
  struct Row {
    var line: Int
    var ownership: Ownership
  }

  private(set) var rows: [Row] = []
  let file: String

  init(contentsOf url: URL) throws(InputError) { try self.init(CSVTable(contentsOf: url)) }

  init(_ table: CSVTable) throws(InputError) {
    file = table.file
    let columns = (
      owner: try table.column("owner"), born: try table.column("born"),
      manufacturer: try table.column("manufacturer"), model: try table.column("model"),
      mileage: try table.column("mileage")
    )
    for row in table.rows {
      let fields = row.fields
      let viewModel = OwnershipViewModel(
        person: PersonViewModel(
          name: fields[columns.owner], birthdate: fields[columns.born]),
        car: CarViewModel(
          model: fields[columns.model], mileage: fields[columns.mileage],
          manufacturer: ManufacturerViewModel(name: fields[columns.manufacturer])))
      do {
        rows.append(Row(line: row.line, ownership: try viewModel.makeOwnership()))
      } catch .invalidDate {
        throw InputError(
          "\"\(fields[columns.born])\" is not a day like 1980-05-04", file: file, line: row.line)
      } catch {
        throw InputError("\(error)", file: file, line: row.line)
      }
    }
  }

  /// Inserts all documents in one commit, or throws and inserts none.
  ///
  /// `progress` is called with the number of inserted documents and the number of all documents.
  func insert(into garage: Garage, progress: (Int, Int) -> Void) throws {
    do {
      try garage.insert(rows.map(\.ownership)) { done in
        if done.isMultiple(of: 1000) || done == rows.count { progress(done, rows.count) }
      }
    } catch let error as Garage.InsertionError {
      throw InputError("\(error.reason)", file: file, line: rows[error.index].line)
    }
  }
}
