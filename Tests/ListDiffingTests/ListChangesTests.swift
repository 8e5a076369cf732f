import Foundation
import ListDiffing
import TestSupport
import Testing

@Suite struct `List changes` {
  @Test func `D3 Changes survive encoding`() throws {
    for seed in seeds(300) {
      let changes = SectionedCase(seed: seed).changes
      let data = try JSONEncoder().encode(changes)
      #expect(try JSONDecoder().decode(ListChanges.self, from: data) == changes)
    }
  }

  @Test func `D3 Parts that come unsorted or not at all are taken in`() throws {
    let text = #"{"deletes": [{"section": 0, "row": 2}, {"section": 0, "row": 1}]}"#
    let changes = try JSONDecoder().decode(ListChanges.self, from: Data(text.utf8))
    #expect(changes == ListChanges(deletes: [path(1), path(2)]))
  }

  @Test func `Each part is sorted by the positions it is applied at`() {
    let changes = ListChanges(
      deletedSections: [3, 1], insertedSections: [2, 0],
      movedSections: [PositionChange(old: 0, new: 4), PositionChange(old: 4, new: 1)],
      updatedSections: [PositionChange(old: 6, new: 5), PositionChange(old: 2, new: 3)],
      deletes: [path(1, 0), path(0, 5)], inserts: [path(3), path(1)],
      moves: [change(0, 9), change(8, 2)], updates: [change(7, 6), change(6, 5)])
    #expect(changes.deletedSections == [1, 3])
    #expect(changes.insertedSections == [0, 2])
    #expect(changes.movedSections.map(\.new) == [1, 4])
    #expect(changes.updatedSections.map(\.old) == [2, 6])
    #expect(changes.deletes == [path(0, 5), path(1, 0)])
    #expect(changes.inserts == [path(1), path(3)])
    #expect(changes.moves.map(\.new.row) == [2, 9])
    #expect(changes.updates.map(\.old.row) == [6, 7])
    #expect(changes.count == 16)
    #expect(changes.hasSectionChanges)
  }

  @Test func `D3 Inverting twice changes nothing`() {
    for seed in seeds(300) {
      let changes = SectionedCase(seed: seed).changes
      #expect(changes.inverted.inverted == changes)
    }
  }

  @Test func `Nothing is empty`() {
    let changes = ListChanges()
    #expect(changes.isEmpty && changes.isEmpty == (changes.count == 0))
    #expect(!changes.hasSectionChanges)
    #expect(!ListChanges(updates: [change(0, 0)]).isEmpty)
    #expect(!ListChanges(updatedSections: [PositionChange(old: 0, new: 0)]).isEmpty)
  }

  @Test func `Descriptions can be read`() {
    #expect("\(path(0, 3))" == "0.3")
    #expect("\(ListChanges())" == "no changes")
    let changes = ListChanges(
      deletedSections: [1], insertedSections: [2],
      movedSections: [PositionChange(old: 3, new: 0)],
      updatedSections: [PositionChange(old: 0, new: 1)],
      deletes: [path(1)], inserts: [path(2)], moves: [change(3, 0)], updates: [change(0, 1)])
    #expect(
      "\(changes)"
        == """
        delete section 1, insert section 2, move section 3 → 0, update section 0 → 1, \
        delete 0.1, insert 0.2, move 0.3 → 0.0, update 0.0 → 0.1
        """)
  }

  @Test func `Paths are in reading order`() {
    let paths = [path(1, 0), path(0, 2), path(0, 1), path(2, 0)]
    #expect(paths.sorted() == [path(0, 1), path(0, 2), path(1, 0), path(2, 0)])
  }

  @Test func `Identity comes from Identifiable and equality from Equatable`() {
    struct Car: Identifiable, Equatable, Diffable {
      let id: Int
      var model: String
    }
    let car = Car(id: 1, model: "Golf")
    #expect(car.diffIdentifier == 1)
    #expect(car.isContentEqual(to: car))
    #expect(!car.isContentEqual(to: Car(id: 1, model: "Polo")))
  }
}
