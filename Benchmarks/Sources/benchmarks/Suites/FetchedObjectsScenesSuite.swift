import EntityStore
import FetchedObjects
import ListDiffing
import Relays

/// What a commit costs that several results follow in several ways.
extension BenchmarkSuite {
  static let fetchedObjectsScenes = BenchmarkSuite {
    Benchmark(
      "FetchedObjects/sectioned-two-keys/100000", unit: .microseconds, aim: 2,
      measured: .following {
        try renaming(
          100_000,
          Query<Good>()
            .sorted { [$0.maker.name.ascending, $0.name.ascending] }
            .sectioned { $0.maker.name })
      },
      baseline: .following("one key") { try renaming(100_000, byName) })
    Benchmark(
      "FetchedObjects/shared-prefix/100000", unit: .microseconds, aim: 2,
      measured: .following {
        try renaming(100_000, byName) { "a common beginning " + Item.name($0) }
      },
      baseline: .following("names that differ early") { try renaming(100_000, byName) })
    for count in [100_000, 1_000_000] {
      Benchmark(
        "FetchedObjects/window-outside/\(count)", unit: .microseconds, aim: 1.3,
        absoluteAim: count == 100_000 ? 4 : 8,
        measured: .following {
          // The names that come and go are beyond the window.
          var scene = try FollowedScene.goods(count) { store, turn in
            try store.rename(turn, of: count, to: "z" + Item.name(turn))
          }
          try scene.follow(byName.limit(50))
          scene.eventsPerCommit = nil
          return scene
        },
        baseline: .following("nobody watches") {
          var scene = try FollowedScene.goods(count) { store, turn in
            try store.rename(turn, of: count, to: "z" + Item.name(turn))
          }
          scene.eventsPerCommit = nil
          return scene
        })
    }
    Benchmark(
      "FetchedObjects/anchored-window/1000000", unit: .microseconds, aim: 1.5,
      measured: .following {
        // The names that come are before the window.
        var scene = try FollowedScene.goods(1_000_000) { store, turn in
          try store.rename(turn, of: 1_000_000, to: "a" + Item.name(turn))
        }
        try scene.follow(byName)
        if let model = scene.models.first as? FetchedObjectsModel<Good> {
          let id = model.fetchedObjects[900_000].id
          try model.setWindow(around: id, before: 25, after: 25)
        }
        scene.eventsPerCommit = nil
        return scene
      },
      baseline: .following("nobody watches") {
        var scene = try FollowedScene.goods(1_000_000) { store, turn in
          try store.rename(turn, of: 1_000_000, to: "a" + Item.name(turn))
        }
        scene.eventsPerCommit = nil
        return scene
      })
    Benchmark(
      "FetchedObjects/first-window/100000", unit: .milliseconds, aim: 0.2,
      measured: .loop {
        let scene = try FollowedScene.goods(100_000) { _, _ in }
        return { iterations in
          for _ in 0..<iterations {
            let model = try FetchedObjectsModel(byName.limit(50), in: scene.store)
            blackHole((model.fetchedObjects.count, model.snapshot.totalCount))
          }
        }
      },
      baseline: .loop("the whole list") {
        let scene = try FollowedScene.goods(100_000) { _, _ in }
        return { iterations in
          for _ in 0..<iterations {
            blackHole(try FetchedObjectsModel(byName, in: scene.store).count)
          }
        }
      })
    for count in [1, 10_000] {
      Benchmark(
        "FetchedObjects/models-by-guard/\(count)", unit: .microseconds,
        measured: .following { try guarded(count) },
        baseline: .following("nobody watches") { try guarded(0) })
    }
    Benchmark(
      "FetchedObjects/models-by-guard against one model/10000", unit: .microseconds, aim: 1.02,
      measured: .following { try guarded(10_000) },
      baseline: .following("one model") { try guarded(1) })
    Benchmark(
      "FetchedObjects/commit-1000-to-event/100000", unit: .microseconds, aim: 1.4,
      knownMiss: KnownMiss(
        3,
        "16,600 instructions a row: 6,000 change the result's own tree and table, and 2,800 count references"
      ),
      absoluteAim: 1.5,
      measured: .following(operations: 1000) { try renamingMany(followed: true) },
      baseline: .following("nobody watches", operations: 1000) { try renamingMany(followed: false) }
    )
    Benchmark(
      "FetchedObjects/update-in-place/100000", unit: .microseconds,
      measured: .following { try counting(followed: true) },
      baseline: .following("nobody watches") { try counting(followed: false) })
    Benchmark(
      "FetchedObjects/relationship-rename/100000", unit: .microseconds, aim: 0.2,
      knownMiss: KnownMiss(
        1.6,
        "17,400 instructions a row: it is read with its maker, taken out of a section and put into another; a quarter count references"
      ),
      measured: .following(operations: 100) { try renamingMakers(followed: true) },
      baseline: .following("the commit, for all rows") { try renamingMakers(followed: false) })
    Benchmark(
      "FetchedObjects/relation-aggregate-row/100000", unit: .microseconds, aim: 2,
      measured: .following {
        var scene = try renumbering()
        let model = try FetchedObjectsModel(
          Query<Maker>().including { $0.goods.sum { $0.number } }, in: scene.store)
        let counter = scene.counter
        scene.models = [model, model.didChange.subscribe { counter.events += $0.changes.count }]
        return scene
      },
      baseline: .following("a row with a plain included reference") {
        var scene = try renumbering()
        try scene.follow(Query<Good>().including { $0.maker.name })
        return scene
      })
    Benchmark(
      "FetchedObjects/fifty-models/10000", unit: .microseconds,
      measured: .following {
        var scene = try FollowedScene.goods(10_000) { store, turn in
          try store.rename(turn, of: 10_000, to: Item.name(turn &* 31 &+ 1))
        }
        for _ in 0..<50 { try scene.follow(byName) }
        scene.eventsPerCommit = 50
        return scene
      },
      baseline: .following("one model") { try renaming(10_000, byName) })
    Benchmark(
      "FetchedObjects/held-snapshots/1000", unit: .microseconds,
      measured: .following { try holding(1000) },
      baseline: .following("none held") { try renaming(100_000, byName) })
  }
}

private let byName = Query<Good>().sorted { [$0.name.ascending] }

extension Store {
  fileprivate func rename(_ turn: Int, of count: Int, to name: String) throws {
    try commit { draft in try draft.update(Good.self, turn &* 7919 % count) { $0.name = name } }
  }
}

private func renaming(
  _ count: Int, _ query: Query<Good>, name: @escaping (Int) -> String = Item.name
) throws -> FollowedScene {
  var scene = try FollowedScene.goods(count, name: name) { store, turn in
    try store.rename(turn, of: count, to: name(turn &* 31 &+ 1))
  }
  try scene.follow(query)
  return scene
}

/// Makes a scene in which good 7 gets another name.
///
/// Each of `count` models shows one good, and one of the models shows good 7.
private func guarded(_ count: Int) throws -> FollowedScene {
  var scene = try FollowedScene.goods(10_000) { store, turn in
    try store.commit { draft in try draft.update(Good.self, 7) { $0.name = Item.name(turn) } }
  }
  for number in 0..<count {
    let number = count == 1 ? 7 : number
    try scene.follow(byName.filter { $0.number == number })
  }
  if count == 0 { scene.eventsPerCommit = nil }
  return scene
}

private func renamingMany(followed: Bool) throws -> FollowedScene {
  var scene = try FollowedScene.goods(100_000) { store, turn in
    try store.commit { draft in
      for index in 0..<1000 {
        let change = turn &* 1000 &+ index
        try draft.update(Good.self, change &* 7919 % 100_000) {
          $0.name = Item.name(change &* 31 &+ 1)
        }
      }
    }
  }
  if followed { try scene.follow(byName) } else { scene.eventsPerCommit = nil }
  return scene
}

private func counting(followed: Bool) throws -> FollowedScene {
  var scene = try FollowedScene.goods(100_000) { store, turn in
    try store.commit { draft in
      try draft.update(Good.self, turn &* 7919 % 100_000) { $0.number &+= 1 }
    }
  }
  if followed { try scene.follow(byName) } else { scene.eventsPerCommit = nil }
  return scene
}

/// One of 100,000 goods gets another number; each maker has ten.
private func renumbering() throws -> FollowedScene {
  try FollowedScene.goods(100_000, makers: 10_000) { store, turn in
    try store.commit { draft in
      try draft.update(Good.self, turn &* 7919 % 100_000) { $0.number &+= 1 }
    }
  }
}

/// One of 1,000 makers, each of 100 goods, gets another name.
private func renamingMakers(followed: Bool) throws -> FollowedScene {
  var scene = try FollowedScene.goods(100_000, makers: 1000) { store, turn in
    try store.commit { draft in
      try draft.update(Maker.self, turn &* 7 % 1000) { $0.name = Item.name(turn &* 31 &+ 1) }
    }
  }
  if followed {
    try scene.follow(
      Query<Good>()
        .sorted { [$0.maker.name.ascending, $0.name.ascending] }
        .sectioned { $0.maker.name })
  } else {
    scene.eventsPerCommit = nil
  }
  return scene
}

/// The newest results are held, so many of them.
private func holding(_ count: Int) throws -> FollowedScene {
  var scene = try renaming(100_000, byName)
  guard let model = scene.models.first as? FetchedObjectsModel<Good> else { return scene }
  let held = HeldResults(count)
  scene.models.append(model.didChange.subscribe { held.hold($0.after) })
  return scene
}

/// The last results, in a ring.
///
/// One thread uses it.
private final class HeldResults: @unchecked Sendable {
  private var snapshots: [ListSnapshot<EntityView<Good>>] = []
  private let count: Int
  private var next = 0

  init(_ count: Int) { self.count = count }

  func hold(_ snapshot: ListSnapshot<EntityView<Good>>) {
    if snapshots.count < count { return snapshots.append(snapshot) }
    snapshots[next] = snapshot
    next = (next + 1) % count
  }
}
