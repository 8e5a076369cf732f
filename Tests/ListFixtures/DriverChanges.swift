package import EntityStore
package import TestSupport

/// Random commits to a fleet of drivers, of which some are undone, whole or in part.
package enum DriverChanges {
  private struct Undo: Error {}

  package static let texts = ["Ann", "Bob", "", "\u{E9}", "e\u{301}"]

  private static func change(
    _ draft: inout Draft, _ generator: inout SeededGenerator
  ) throws {
    let text = texts.randomElement(using: &generator) ?? ""
    let driver = Int.random(in: 1...5, using: &generator)
    let firm = Int.random(in: 1...3, using: &generator)
    let town = Int.random(in: 1...2, using: &generator)
    let isNil = generator.chance(0.25)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: try draft.upsert(Town(id: town, name: text, size: firm))
    case 1: if try draft.find(Town.self, town) != nil { try draft.delete(Town.self, town) }
    case 2: try draft.upsert(Firm(id: firm, name: text, rank: town, town: Ref(town)))
    case 3: if try draft.find(Firm.self, firm) != nil { try draft.delete(Firm.self, firm) }
    case 4:
      if try draft.find(Firm.self, firm) != nil {
        try draft.update(Firm.self, firm) { $0.town = isNil ? nil : Ref(town) }
      }
    case 5, 6:
      try draft.upsert(
        Driver(
          id: driver, name: text, age: isNil ? nil : firm, firm: isNil ? nil : Ref(firm),
          chief: Ref(firm)))
    case 7: if try draft.find(Driver.self, driver) != nil { try draft.delete(Driver.self, driver) }
    default:
      guard try draft.find(Driver.self, driver) != nil else { return }
      try draft.update(Driver.self, driver) {
        switch firm {
        case 1: $0.name = text
        case 2: $0.firm = isNil ? nil : Ref(town)
        default: $0.chief = isNil ? nil : Ref(town)
        }
      }
    }
  }

  package static func commit(_ store: Store, _ generator: inout SeededGenerator) throws {
    let isUndone = generator.chance(0.1)
    let isPartlyUndone = generator.chance(0.2)
    do {
      try store.commit { draft in
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          try change(&draft, &generator)
        }
        if isPartlyUndone {
          try? store.commit { inner in
            try change(&inner, &generator)
            throw Undo()
          }
        }
        if isUndone { throw Undo() }
      }
    } catch is Undo {}
  }
}
