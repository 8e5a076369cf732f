import EntityStore
import Foundation
@testable import FoundationSupport
import Testing

@Suite struct `The localized description of an error is its description` {
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
    let fault = StorageFault(.full, "No room")
    #expect((fault as any Error).localizedDescription == "\(fault)")
    let number = try #require(throws: StoredValue.Mismatch.self) {
      try Int(storedValue: .text("x"))
    }
    #expect((number as any Error).localizedDescription == "\(number)")
    let part = QueryTranslationError(entity: "Car", part: "a sum", advice: "leave it out")
    #expect((part as any Error).localizedDescription == "\(part)")
  }
}
