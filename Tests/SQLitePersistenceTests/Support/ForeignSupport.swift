@_spi(Storage) import EntityStore
import Foundation
import SQLitePersistence
import TestSupport

/// Two stores on one file that look for each other's commits when they are told to.
struct TwoStores {
  let path = temporaryPath()
  let here: Store
  let there: Store

  init() throws {
    here = try openGarage(path, watching: .none)
    there = try openGarage(path, watching: .none)
  }
}

extension Commit {
  /// The commit in one line: its versions, whether others made it, and each object with a mark and the
  /// attributes that changed.
  var line: String {
    var words = [versions.count == 1 ? "\(version)" : "\(versions)"]
    if isExternal { words.append("foreign") }
    if !isComplete { words.append("unknown") }
    return (words + changedObjects).joined(separator: " ")
  }

  /// The objects, each with a mark and the attributes that changed.
  var changedObjects: [String] {
    changes.tables.sorted { $0.entity.name < $1.entity.name }.flatMap { table in
      table.sorted.map { change in
        let name = "\(ObjectID(entityName: table.entity.name, id: change.id))"
        switch (change.old, change.new) {
        case (nil, _): return "+\(name)"
        case (_, nil): return "-\(name)"
        case (let old?, let new?):
          let names = new.changedColumns(from: old).map { table.entity.columns[$0].name }
          return "~\(name).\(names.joined(separator: ","))"
        }
      }
    }
  }

  /// All values before and after.
  var allValues: [[StoredValue]?] {
    changes.tables.sorted { $0.entity.name < $1.entity.name }
      .flatMap { $0.sorted.flatMap { [$0.old?.values, $0.new?.values] } }
  }
}

/// Whether there is a file.
func fileExists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
