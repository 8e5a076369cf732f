import EntityStore
import Foundation
import FoundationSupport
import Testing

@Suite struct `Errors are shown by what they say` {
  @Test func `S6: the localized description of an error is its sentence`() throws {
    let store = try Store(.inMemory, entities: [Owner.self])
    let error = try #require(throws: StoreError.self) {
      try store.commit { try $0.delete(Owner.self, 7) }
    }
    #expect((error as any Error).localizedDescription == "\(error)")
    #expect("\(error)".contains("Owner(7)"))
    var parts = [Data("no line".utf8)]
    let line = try #require(throws: JSONLinesError.self) {
      try store.importJSONLines { parts.popLast() }
    }
    #expect((line as any Error).localizedDescription == "\(line)")
  }
}
