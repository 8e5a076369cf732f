import EntityStore
import FetchedObjects
import Foundation
import FoundationSupport
import ListDiffing
import SQLitePersistence
import Testing

/// Opens a crafted file and calls all that there is to call.
///
/// What is thrown must be an error of the library's that doesn't ask to be reported.
struct CraftedVisit {
  let name: String
  let path: String
  /// What opening threw.
  private(set) var refusal: StoreError?
  /// The objects, if all could be read.
  private(set) var letters: [String]?
  private(set) var stamps: [String]?

  init(_ name: String, _ path: String, migrations: [Migration] = []) throws {
    self.name = name
    self.path = path
    let store: Store
    do {
      store = try openLetters(path, migrations: migrations)
    } catch let error as StoreError {
      refusal = error
      check(error)
      return
    }
    read(store)
    observe(store)
    copy(store)
  }

  private func check(_ error: any Error) {
    switch error {
    case let error as StoreError: #expect(!"\(error)".contains("report it"), "\(name): \(error)")
    case is JSONLinesError, is StoredValue.Mismatch: break
    default: Issue.record("\(name): \(error) is no error of the library's")
    }
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { check(error) }
  }

  private mutating func read(_ store: Store) {
    let byID = Query<Letter>().sorted { [$0.id.ascending] }
    do {
      letters = try store.fetch(byID).map(\.line)
      stamps = try store.fetch(Query<Stamp>().sorted { [$0.id.ascending] }).map(\.line)
    } catch { check(error) }
    for id in [1, 2, -1, .max, .min] { attempt { _ = try store.find(Letter.self, id) } }
    for id in ["a", "b", "\u{0}"] { attempt { _ = try store.find(Stamp.self, id) } }
    attempt { _ = try store.read { try $0.find(Letter.self, 1) } }
    attempt { _ = try store.fetch(Query<Letter>().filter { $0.name > "A" }) }
    attempt { _ = try store.fetch(Query<Letter>().filter { $0.note == "secret" }) }
    attempt { _ = try store.fetch(Query<Letter>().sorted { [$0.name.descending] }.limit(2)) }
    attempt { _ = try store.fetch(Query<Stamp>().filter { $0.letter.name == "Ann" }) }
    attempt { _ = try store.count(Query<Letter>()) }
    attempt { _ = try store.count(Query<Letter>().filter { $0.name > "A" }) }
    attempt { _ = try store.sum(of: Query<Stamp>()) { $0.value } }
    attempt { _ = try store.max(of: Query<Letter>()) { $0.id } }
    attempt { _ = try store.min(of: Query<Letter>()) { $0.name } }
  }

  private func observe(_ store: Store) {
    store.historyLimit = 5
    let byName = Query<Letter>().sorted { [$0.name.ascending] }
    var held: [Any] = []
    attempt {
      let model = try FetchedObjectsModel(byName, in: store)
      held.append(model)
      _ = model.feed(after: nil)
    }
    attempt { held.append(try FetchedObjectsModel(byName.limit(2, offset: 1), in: store)) }
    attempt { held.append(try FetchedObjectsModel(byName.sectioned { $0.name }, in: store)) }
    attempt {
      let model = try IndexedObjectsModel(byName, in: store)
      held.append(model)
      for row in 0..<min(model.count, 3) {
        _ = try model.object(at: ListPath(section: 0, row: row))
      }
    }
    attempt { held.append(try ObservedEntity<Letter>(1, in: store)) }
    attempt { try store.commit(named: "a") { try $0.insert(Letter(id: 70, name: "New")) } }
    attempt { try store.commit { try $0.update(Letter.self, 1) { $0.name = "Z" } } }
    attempt { try store.commit { try $0.update(Letter.self, 70) { $0.note = "n" } } }
    attempt { try store.commit { try $0.delete(Letter.self, 2) } }
    attempt {
      try store.commit { try $0.insert(Stamp(id: "z", value: 9, picture: [], letter: Ref(3))) }
    }
    attempt { try store.commit { try $0.delete(Letter.self, 1) } }
    attempt { _ = try store.undo() }
    attempt { try store.refresh() }
    for model in held {
      if let model = model as? FetchedObjectsModel<Letter> {
        _ = model.fetchedObjects.map(\.line)
        _ = model.feed(after: nil)
      }
      if let model = model as? IndexedObjectsModel<Letter> {
        attempt {
          for row in 0..<min(model.count, 3) {
            _ = try model.object(at: ListPath(section: 0, row: row))
          }
        }
      }
    }
  }

  private func copy(_ store: Store) {
    attempt { try store.backUp(to: path + ".copy") }
    attempt { try store.exportJSONLines { _ in } }
    for suffix in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + ".copy" + suffix)
    }
  }
}

/// What a folder has, but for one database.
struct FolderContents: Equatable {
  private(set) var files: [String: Data] = [:]

  init(_ folder: String, but database: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let own = ["", "-wal", "-shm", "-journal", ".before-migration"]
      // Where the file is a link, it leads to the one that is called real.
      if own.contains(where: { name == database + $0 || name == "real.db" + $0 }) { continue }
      var isFolder: ObjCBool = false
      let path = folder + "/" + name
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      // Whatever has no contents that could be read without waiting.
      let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      files[name] =
        type == .typeRegular ? try Data(contentsOf: URL(fileURLWithPath: path)) : Data()
    }
  }
}
