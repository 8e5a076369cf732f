import EntityStore
import FetchedObjects
import Relays

/// What data costs that somebody chose to make us slow, against ordinary data.
extension BenchmarkSuite {
  static let hostileData = BenchmarkSuite {
    for (name, spread) in hostileIDs {
      Benchmark(
        "EntityStore/get, \(name)/100000", aim: 1.5,
        measured: .loop { try looking(up: spread) },
        baseline: .loop("ids from 0 on") { try looking { $0 } })
    }
    Benchmark(
      "FetchedObjects/equal-keys/100000", unit: .microseconds, aim: 2.5,
      measured: .following {
        // A thousand rows have the name that the changed row has, and the one that it gets.
        try naming { "common beginning " + Item.name($0 % 100) }
      },
      baseline: .following("names that differ") { try naming(Item.name) })
    Benchmark(
      "FetchedObjects/shared-40-bytes/100000", unit: .microseconds, aim: 2.5,
      measured: .following {
        try naming { "the beginning that all names of a list share " + Item.name($0) }
      },
      baseline: .following("names that differ early") { try naming(Item.name) })
    Benchmark(
      "FetchedObjects/rows-of-1-kB/50000", unit: .microseconds, aim: 2,
      measured: .following { try naming(number: 50_000) { Item.name($0) + longText } },
      baseline: .following("rows of 70 bytes") { try naming(number: 50_000, Item.name) })
    Benchmark(
      "FetchedObjects/ten-thousand-sections/100000", unit: .microseconds, aim: 2,
      measured: .following { try sectioning(10_000) },
      baseline: .following("ten sections") { try sectioning(10) })
    Benchmark(
      "FetchedObjects/million-observed/1000000", unit: .microseconds, aim: 1.5,
      measured: .following { try observing(1_000_000) },
      baseline: .following("one") { try observing(1) })
  }
}

/// Ids that a table would find slowly whose hash were simple.
private let hostileIDs: [(name: String, spread: @Sendable (Int) -> Int)] = [
  ("multiples of 2^32", { $0 << 32 }),
  ("multiples of 2^17", { $0 << 17 }),
  // The inverse of the factor by which the hash multiplies.
  ("multiples of an inverse", { $0 &* Int(bitPattern: 0xF1DE_83E1_9937_733D) }),
]

private let longText = String(repeating: " and so on, until the row has a kilobyte", count: 25)

private func looking(up id: @escaping (Int) -> Int) throws -> (Int) throws -> Void {
  let store = try Store(.inMemory, entities: [Item.self])
  try store.commit { draft in
    for number in 0..<100_000 {
      try draft.insert(Item(id: id(number), name: Item.name(number), number: number))
    }
  }
  return { iterations in
    for index in 0..<iterations {
      blackHole(try store.find(Item.self, id(index &* 7919 % 100_000)))
    }
  }
}

/// A sorted list in which a row gets another name with each commit.
private func naming(
  number count: Int = 100_000, _ name: @escaping (Int) -> String
) throws -> FollowedScene {
  var scene = try FollowedScene.goods(count, name: name) { store, turn in
    try store.commit { draft in
      try draft.update(Good.self, turn &* 7919 % count) { $0.name = name(turn &* 31 &+ 1) }
    }
  }
  try scene.follow(Query<Good>().sorted { [$0.name.ascending] })
  // A name may be the one that the row has.
  scene.eventsPerCommit = nil
  return scene
}

/// A list in sections, in which a row goes to another section with each commit.
private func sectioning(_ sections: Int) throws -> FollowedScene {
  var scene = try FollowedScene.goods(100_000, makers: sections) { store, turn in
    try store.commit { draft in
      try draft.update(Good.self, turn &* 7919 % 100_000) {
        $0.maker = Ref(turn &* 31 % sections)
      }
    }
  }
  try scene.follow(
    Query<Good>()
      .sorted { [$0.maker.name.ascending, $0.name.ascending] }.sectioned { $0.maker.name })
  scene.eventsPerCommit = nil
  return scene
}

/// Objects that are observed each by itself, of which one changes with each commit.
private func observing(_ count: Int) throws -> FollowedScene {
  var scene = try FollowedScene.goods(1_000_000) { store, turn in
    try store.commit { draft in
      try draft.update(Good.self, 0) { $0.number = turn + 1 }
    }
  }
  let counter = scene.counter
  for id in 0..<count {
    let observed = try ObservedEntity<Good>(id, in: scene.store)
    scene.models.append(observed)
    if id == 0 { scene.models.append(observed.didChange.subscribe { _ in counter.events += 1 }) }
  }
  return scene
}
