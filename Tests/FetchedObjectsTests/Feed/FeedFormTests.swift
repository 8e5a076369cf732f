import EntityStore
import Fixtures
import Foundation
import ListDiffing
import ListFixtures
import TestSupport
import Testing

@testable import FetchedObjects

private func jsonText(_ page: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(page), as: UTF8.self)
}

/// What clients in other languages rely on: the form of a page, hashes and sums.
@Suite struct FeedFormTests {
  @Test(arguments: TestStorage.withServer)
  func `F14: the form of a page in JSON stays as it is`(_ storage: TestStorage) throws {
    let store = try storage.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(byOwner, in: store)
    let feed = carFeed(of: model)
    let first = try feed.page(after: nil)
    #expect(try jsonText(first) == Golden.reset)
    try store.commit { draft in
      try draft.update(Person.self, 2) { $0.name = "Abe" }
      try draft.update(Car.self, 2) { $0.model = "Panda" }
      try draft.insert(Car(id: 5, model: "Audi", year: 1999, owner: Ref(ann)))
    }
    let second = try feed.page(after: first.cursor)
    #expect(try jsonText(second) == Golden.changes)
    let third = try feed.page(after: second.cursor)
    #expect(try jsonText(third) == Golden.unchanged)
    for page in [first, second, third] {
      let copy = try JSONDecoder().decode(
        FeedPage<FedCar>.self, from: JSONEncoder().encode(page))
      #expect(copy == page)
    }
  }

  @Test func `F14: a check sum can be computed from what was sent, in the order of the list`() {
    var hash = FeedHash()
    #expect(hash.value == 0xCBF2_9CE4_8422_2325)
    for byte in "foobar".utf8 { hash.combine(byte) }
    // A vector of FNV-1a's authors.
    #expect(hash.value == 0x8594_4171_F739_67E8)
    var (left, right, all) = (FeedSum(), FeedSum(), FeedSum())
    for number in UInt64(1)...5 {
      if number < 3 { left.append(FeedSum(of: number)) } else { right.append(FeedSum(of: number)) }
      all.append(FeedSum(of: number))
    }
    let end = right
    left.append(right)
    #expect(left == all, "the sums of two stretches give that of both")
    right.append(FeedSum())
    #expect(right == end)
    var other = FeedSum(of: 2)
    for number in [UInt64(1), 3, 4, 5] { other.append(FeedSum(of: number)) }
    #expect(other != all, "the order counts")
  }

  @Test func `F14: any value that differs gives another hash, and equal ones the same`() throws {
    let all: [StoredValue] = [
      .null, .integer(0), .integer(1), .integer(-1), .real(0), .real(1), .text(""), .text("0"),
      .text("1"), .bytes([]), .bytes([0]), .bytes([0, 0]), .list([]), .list([.null]),
      .list([.null, .null]), .list([.list([.null])]), .text("é"), .text("e\u{301}"),
    ]
    func hash(_ value: StoredValue) -> UInt64 {
      var hash = FeedHash()
      hash.combine(value)
      return hash.value
    }
    #expect(Set(all.map(hash)).count == all.count)
    #expect(hash(.real(-0.0)) == hash(.real(0.0)))
    #expect(
      FeedHash(ofSection: .null, title: "a") != FeedHash(ofSection: .text("a"), title: ""))
    #expect(FeedHash(ofRowsWith: ["a"]) != FeedHash(ofRowsWith: ["b"]))
  }

  @Test func `F14: the check sum covers each attribute, included value, title and place`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(
      Query<Car>()
        .sectioned(by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.id.ascending })
        .including { $0.owner.age }, in: store)
    var sums: Set<UInt64> = [model.feed(after: nil).cursor.sum]
    func expectAnother(_ what: String, _ body: (borrowing Draft) throws -> Void) throws {
      try store.commit { draft in try body(draft) }
      #expect(sums.insert(model.feed(after: nil).cursor.sum).inserted, "\(what)")
    }
    try expectAnother("an attribute") { try $0.update(Car.self, 1) { $0.year = 1 } }
    try expectAnother("an included value") { try $0.update(Person.self, 1) { $0.age = 31 } }
    try expectAnother("a title") { try $0.update(Person.self, 1) { $0.name = "Zoe" } }
    try expectAnother("a section") { try $0.update(Car.self, 1) { $0.owner = Ref(bob) } }
    try expectAnother("a row less") { try $0.delete(Car.self, 4) }
    let swapped = try FetchedObjectsModel(
      Query<Car>().sorted { [$0.id.descending] }.including { $0.owner.age }, in: store)
    let plain = try FetchedObjectsModel(Query<Car>().including { $0.owner.age }, in: store)
    #expect(swapped.feed(after: nil).cursor.sum != plain.feed(after: nil).cursor.sum, "the order")
    let twice = try FetchedObjectsModel(Query<Car>().including { $0.owner.age }, in: store)
    #expect(twice.feed(after: nil).cursor.sum == plain.feed(after: nil).cursor.sum)
  }
}

/// What clients in other languages rely on; the hashes and sums were computed by a program in another one.
private enum Golden {
  static let reset =
    #"{"cursor":"0000000000000001-1-8b3a2dbb830148e3","kind":"reset","#
    + #""sections":[{"hash":"7e61e058fe910d05","identity":"Ann","#
    + #""rows":[{"content":{"model":"Fiat","owner":"Ann"},"hash":"f91b654bf46cf723"},"#
    + #"{"content":{"model":"Volvo","owner":"Ann"},"hash":"7575d03d6d719687"}],"title":"Ann"},"#
    + #"{"hash":"020c8e71e9920215","identity":"Bob","rows":[{"content":{"model":"Tesla","#
    + #""owner":"Bob"},"hash":"b041cb86a116b47f"}],"title":"Bob"}]}"#
  static let changes =
    #"{"after":"0000000000000001-1-8b3a2dbb830148e3","changes":{"deletedSections":[1],"#
    + #""deletes":[],"insertedSections":[0],"inserts":[{"row":0,"section":1}],"#
    + #""movedSections":[],"moves":[{"new":{"row":0,"section":0},"old":{"row":0,"section":1}}],"#
    + #""updatedSections":[],"updates":[{"new":{"row":1,"section":1},"old":{"row":0,"#
    + #""section":0}}]},"cursor":"0000000000000001-2-b2808e0443688451","kind":"changes","#
    + #""rows":[{"content":{"model":"Tesla","owner":"Abe"},"hash":"a5b99f869a986ca6","#
    + #""path":{"row":0,"section":0}},{"content":{"model":"Audi","owner":"Ann"},"#
    + #""hash":"c9985464128a8fb2","path":{"row":0,"section":1}},{"content":{"model":"Panda","#
    + #""owner":"Ann"},"hash":"fc0d31fea9ef9588","path":{"row":1,"section":1}}],"#
    + #""sections":[{"hash":"b4c38f9209c897a5","identity":"Abe","position":0,"title":"Abe"}]}"#
  static let unchanged =
    #"{"cursor":"0000000000000001-2-b2808e0443688451","kind":"unchanged"}"#
}
