import EntityStore
import FetchedObjects
import Fixtures
import ListFixtures
import Relays
import TestSupport
import Testing

/// What an observed value of the oracle reads.
private enum Question: CaseIterable, Sendable {
  case drivers, named, old, unknownAge, inTown, ofRank, led
  case ageSum, oldest, byFirm, names, firstTwo, one, chiefOfOne, firmsOfTown

  func answer(_ reader: borrowing Reader, _ text: String, _ number: Int) throws -> String {
    let drivers = Query<Driver>()
    return switch self {
    case .drivers: "\(try reader.count(drivers))"
    case .named: "\(try reader.count(drivers.filter { $0.name == text }))"
    case .old: "\(try reader.count(drivers.filter { $0.age >= number }))"
    case .unknownAge: "\(try reader.count(drivers.filter { $0.age.isNil }.limit(2)))"
    case .inTown: "\(try reader.count(drivers.filter { $0.firm.town.name == text }))"
    case .ofRank: "\(try reader.count(drivers.filter { $0.firm.rank == number }))"
    case .led: "\(try reader.count(drivers.filter { $0.chief.name == text }))"
    case .ageSum: "\(try reader.sum(of: drivers.filter { $0.name == text }) { $0.age })"
    case .oldest: "\(try reader.max(of: drivers) { $0.firm.rank } ?? -1)"
    case .byFirm:
      try reader.counts(of: drivers, by: { $0.firm.name })
        .map { "\($0.value ?? "nil") \($0.count)" }.joined(separator: ", ")
    case .names:
      try reader.fetch(drivers.filter { $0.age == number }).map(\.name).joined(separator: ", ")
    case .firstTwo:
      try reader.fetch(drivers.sorted { [$0.firm.town.size.descending] }.limit(2))
        .map { "\($0.id)" }.joined(separator: ", ")
    case .one: try reader.find(Driver.self, number)?.name ?? "none"
    case .chiefOfOne:
      try reader.find(Driver.self, number)?.chief.flatMap { try reader.find($0) }?.name ?? "none"
    case .firmsOfTown:
      try reader.fetch(Query<Firm>().filter { $0.town == Ref(number) })
        .map { firm in "\(firm.id): \(try reader.count(drivers.filter { $0.firm == Ref(firm) }))" }
        .joined(separator: ", ")
    }
  }
}

/// An observed value, and what it should have published.
private final class Asked {
  let observed: ObservedValue<[String]>
  let events: Recorder<ValueChange<[String]>>
  let read: @Sendable (borrowing Reader) throws -> [String]
  var expected: [ValueChange<[String]>] = []
  var last: [String]

  init(_ questions: [Question], _ text: String, _ number: Int, in store: Store) throws {
    let read: @Sendable (borrowing Reader) throws -> [String] = { reader in
      var answers: [String] = []
      for question in questions { answers.append(try question.answer(reader, text, number)) }
      return answers
    }
    self.read = read
    observed = try ObservedValue(in: store, read)
    events = Recorder(observed.didChange)
    last = observed.value
  }

  /// Compares with a fresh reading of the last commit.
  func check(_ store: Store) throws {
    let fresh = try store.read { try read($0) }
    if fresh != last { expected.append(ValueChange(old: last, new: fresh)) }
    last = fresh
    #expect(observed.value == fresh)
    #expect(events.values == expected)
  }
}

@Suite struct `Observed values after random commits` {
  @Test(arguments: TestStorage.withServer)
  func `F15: whatever is read and written, value and events are those of a fresh reading`(
    _ storage: TestStorage
  ) throws {
    for seed in seeds(storage == .memory ? 40 : 4) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let store = try storage.makeDriverFleet()
      func makeAsked() throws -> Asked {
        let questions = Question.allCases.shuffled(using: &generator)
        return try Asked(
          Array(questions.prefix(Int.random(in: 1...3, using: &generator))),
          DriverChanges.texts.randomElement(using: &generator) ?? "",
          Int.random(in: 1...3, using: &generator), in: store)
      }
      var asked = try (0..<20).map { _ in try makeAsked() }
      for _ in 0..<40 {
        try DriverChanges.commit(store, &generator)
        for one in asked { try one.check(store) }
        if generator.chance(0.2) {
          asked[Int.random(in: asked.indices, using: &generator)] = try makeAsked()
        }
      }
    }
  }
}
