@_spi(Storage) @testable import EntityStore
import TestSupport

/// Writes at random into drafts, and the same into a world.
struct RandomWrites {
  var generator: SeededGenerator
  /// What references are drawn from, most of the time.
  var world = World()

  /// A write that can be carried out in several stores.
  enum Write {
    case citizen(Citizen, replacing: Bool)
    case maker(Maker, replacing: Bool)
    case vehicle(Vehicle, replacing: Bool)
    case updateCitizen(Citizen)
    case updateMaker(Maker)
    case updateVehicle(Vehicle)
    case deleteCitizen(String)
    case deleteMaker(Double)
    case deleteVehicle(Int)
    /// Two vehicles give each other their unique key.
    case swapVehicles(Int, Int)
    /// A nested commit, which throws at its end if `isUndone`.
    case nested([Write], isUndone: Bool)
  }

  mutating func writes(nesting: Int = 2) -> [Write] {
    (0..<Int.random(in: 1...5, using: &generator)).map { _ in write(nesting: nesting) }
  }

  private mutating func write(nesting: Int) -> Write {
    switch Int.random(in: 0..<14, using: &generator) {
    case 0, 1: .citizen(citizen(), replacing: generator.chance(0.5))
    case 2: .maker(maker(), replacing: generator.chance(0.5))
    case 3, 4: .vehicle(vehicle(), replacing: generator.chance(0.5))
    case 5, 6: .updateCitizen(citizen())
    case 7: .updateMaker(maker())
    case 8: .updateVehicle(vehicle())
    case 9 where generator.chance(0.5): .deleteCitizen(citizenID())
    case 10 where generator.chance(0.5): .deleteMaker(RandomValues.real(&generator))
    case 11: .deleteVehicle(RandomValues.integer(&generator))
    case 9, 10: .maker(maker(), replacing: true)
    case 12: .swapVehicles(vehicleID(), vehicleID())
    default:
      nesting > 0
        ? .nested(writes(nesting: nesting - 1), isUndone: generator.chance(0.5))
        : .vehicle(vehicle(), replacing: true)
    }
  }

  private mutating func citizenID() -> String {
    HostileText.samples[Int.random(in: 0..<12, using: &generator)]
  }

  /// Mostly that of a vehicle that is there.
  private mutating func vehicleID() -> Int {
    let row = world.rows(of: Vehicle.schema.entity).randomElement(using: &generator)
    return row.flatMap { try? Int(storedValue: $0[0]) } ?? RandomValues.integer(&generator)
  }

  private mutating func optional<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? {
    generator.chance(0.3) ? nil : make(&generator)
  }

  /// A reference that is seldom to an object that isn't there.
  private mutating func reference<Target: Entity>(
    to type: Target.Type, or stray: (inout SeededGenerator) -> Target.ID
  ) -> Ref<Target>? where Target.ID: Storable {
    if generator.chance(0.25) { return nil }
    if generator.chance(0.07) { return Ref(stray(&generator)) }
    let entity = Target.schema.entity
    guard let row = world.rows(of: entity).randomElement(using: &generator) else { return nil }
    return try? Ref(storedValue: row[entity.identity])
  }

  private mutating func citizen() -> Citizen {
    Citizen(
      id: citizenID(), name: optional(HostileText.random), age: optional(RandomValues.integer),
      isActive: optional { Bool.random(using: &$0) },
      boss: reference(to: Citizen.self, or: HostileText.random),
      employer: reference(to: Maker.self, or: RandomValues.real))
  }

  private mutating func maker() -> Maker {
    Maker(
      id: RandomValues.real(&generator), name: HostileText.random(&generator),
      logo: optional(RandomValues.blob))
  }

  private mutating func vehicle() -> Vehicle {
    Vehicle(
      id: RandomValues.integer(&generator), model: HostileText.random(&generator),
      year: RandomValues.integer(&generator), price: optional(RandomValues.real),
      owner: reference(to: Citizen.self, or: HostileText.random),
      maker: reference(to: Maker.self, or: RandomValues.real),
      spare: optional { Ref(RandomValues.integer(&$0)) })
  }
}

extension RandomWrites.Write {
  /// Writes into a draft of `store`; a write that is refused leaves the others as they are.
  func run(in store: Store, _ draft: inout Draft) throws {
    do {
      switch self {
      case .citizen(let new, let replacing): try Self.insert(new, replacing, draft)
      case .maker(let new, let replacing): try Self.insert(new, replacing, draft)
      case .vehicle(let new, let replacing): try Self.insert(new, replacing, draft)
      case .updateCitizen(let new):
        try draft.update(Citizen.self, new.id) { $0 = new }
      case .updateMaker(let new): try draft.update(Maker.self, new.id) { $0 = new }
      case .updateVehicle(let new): try draft.update(Vehicle.self, new.id) { $0 = new }
      case .deleteCitizen(let id): try draft.delete(Citizen.self, id)
      case .deleteMaker(let id): try draft.delete(Maker.self, id)
      case .deleteVehicle(let id): try draft.delete(Vehicle.self, id)
      case .swapVehicles(let a, let b):
        guard let first = try draft.find(Vehicle.self, a),
          let second = try draft.find(Vehicle.self, b)
        else { return }
        try draft.update(Vehicle.self, a) { ($0.model, $0.year) = (second.model, second.year) }
        try draft.update(Vehicle.self, b) { ($0.model, $0.year) = (first.model, first.year) }
      case .nested(let writes, let isUndone):
        try store.commit { inner in
          for write in writes { try write.run(in: store, &inner) }
          if isUndone { throw Refusal() }
        }
      }
    } catch StoreError.alreadyExists, StoreError.notFound {
    } catch is Refusal {}
  }

  private static func insert<E: Entity>(_ object: E, _ replacing: Bool, _ draft: borrowing Draft)
    throws
  {
    if replacing { try draft.upsert(object) } else { try draft.insert(object) }
  }

  func run(in world: inout World) {
    switch self {
    case .citizen(let new, let replacing): Self.set(new, in: &world, ifFree: !replacing)
    case .maker(let new, let replacing): Self.set(new, in: &world, ifFree: !replacing)
    case .vehicle(let new, let replacing): Self.set(new, in: &world, ifFree: !replacing)
    case .updateCitizen(let new): Self.set(new, in: &world, ifThere: true)
    case .updateMaker(let new): Self.set(new, in: &world, ifThere: true)
    case .updateVehicle(let new): Self.set(new, in: &world, ifThere: true)
    case .deleteCitizen(let id): world.remove(.text(id), of: Citizen.schema.entity)
    case .deleteMaker(let id): world.remove(id.storedValue, of: Maker.schema.entity)
    case .deleteVehicle(let id): world.remove(id.storedValue, of: Vehicle.schema.entity)
    case .swapVehicles(let a, let b):
      let entity = Vehicle.schema.entity
      guard a != b, var first = world.row(of: entity, id: a.storedValue),
        var second = world.row(of: entity, id: b.storedValue)
      else { return }
      for column in 1...2 { (first[column], second[column]) = (second[column], first[column]) }
      world.set(first, of: entity)
      world.set(second, of: entity)
    case .nested(let writes, let isUndone):
      if isUndone { return }
      for write in writes { write.run(in: &world) }
    }
  }

  private static func set<E: Entity>(
    _ object: E, in world: inout World, ifFree: Bool = false, ifThere: Bool = false
  ) {
    let row = EntityRow(object)
    let isThere = world.row(of: row.entity, id: row.id) != nil
    if (ifFree && isThere) || (ifThere && !isThere) { return }
    world.set(row.values, of: row.entity)
  }
}
