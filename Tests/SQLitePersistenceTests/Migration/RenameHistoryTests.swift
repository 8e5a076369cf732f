import EntityStore
import TestSupport
import Testing

@testable import SQLitePersistence

/// What one release calls its attributes, each of which has a number that never changes.
private struct Release {
  /// Numbers by name.
  var numbers: [String: Int]
  /// What each was called before, newest first.
  var formers: [Int: [String]]

  var wanted: [Renames.Named] {
    numbers.sorted { $0.key < $1.key }.map { name, number in
      Renames.Named(name: name, formerNames: (formers[number] ?? []).filter { $0 != name })
    }
  }

  var claims: Set<Renames.Claim> {
    Set(wanted.flatMap { named in named.formerNames.map { Renames.Claim(named.name, from: $0) } })
  }

  /// Whether it can be told what was what: no two say that they were called the same, which a schema
  /// can't, and none has got a name back that it had.
  var isLegal: Bool {
    let all = wanted.flatMap(\.formerNames)
    return Set(all).count == all.count
      && numbers.allSatisfy { !(formers[$0.value] ?? []).contains($0.key) }
  }
}

/// Some releases, which rename, exchange, add, reuse names and drop.
private struct History {
  private(set) var releases: [Release]
  private var fresh = 0
  private var nextNumber = 0
  private var hasExchanged = false

  init(using generator: inout SeededGenerator) {
    releases = []
    var release = Release(numbers: [:], formers: [:])
    for _ in 0..<Int.random(in: 1...3, using: &generator) { add(&release, name()) }
    releases.append(release)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      for _ in 0..<Int.random(in: 1...2, using: &generator) { change(&release, &generator) }
      releases.append(release)
    }
  }

  private mutating func name() -> String {
    fresh += 1
    return "name \(fresh)"
  }

  private mutating func add(_ release: inout Release, _ name: String) {
    release.numbers[name] = nextNumber
    nextNumber += 1
  }

  private func rename(_ release: inout Release, _ old: String, _ new: String) {
    guard let number = release.numbers.removeValue(forKey: old) else { return }
    release.numbers[new] = number
    release.formers[number] = [old] + (release.formers[number] ?? []).filter { $0 != old }
  }

  private mutating func change(_ release: inout Release, _ generator: inout SeededGenerator) {
    let names = release.numbers.keys.sorted().shuffled(using: &generator)
    guard let first = names.first else { return add(&release, name()) }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: rename(&release, first, name())
    case 1:
      rename(&release, first, name())
      add(&release, first)
    case 2:
      // Each moves on by one name.
      var free = name()
      for name in names {
        rename(&release, name, free)
        free = name
      }
      if generator.chance(0.5) { add(&release, free) }
    case 3:
      // Once: twice can't be told from never.
      guard names.count > 1, !hasExchanged else { return }
      hasExchanged = true
      let spare = name()
      let count = Int.random(in: 2...names.count, using: &generator)
      let before = release.formers
      rename(&release, names[0], spare)
      for place in 1..<count { rename(&release, names[place], names[place - 1]) }
      rename(&release, spare, names[count - 1])
      for (name, number) in release.numbers where names.prefix(count).contains(name) {
        release.formers[number] =
          release.formers[number].map { formers in formers.filter { $0 != spare } }
          ?? before[number]
      }
      if let number = release.numbers[names[count - 1]] {
        release.formers[number] =
          [names[0]] + (before[number] ?? []).filter { $0 != names[0] }
      }
    case 4: add(&release, name())
    default:
      // Whose name another one has, or had, takes along what the schema would have said of it.
      guard let number = release.numbers[first] else { return }
      func names(_ name: String, _ number: Int) -> Set<String> {
        Set([name] + (release.formers[number] ?? []))
      }
      let mine = names(first, number)
      let others = release.numbers.filter { $0.value != number }
      if others.allSatisfy({ mine.isDisjoint(with: names($0.key, $0.value)) }) {
        release.numbers[first] = nil
      }
    }
  }
}

@Suite struct `Renames in releases that a user may skip` {
  @Test(.oneThread, arguments: 0..<10)
  func `P4: lead from the names of any release to those of any later one`(_ seed: Int) {
    var generator = SeededGenerator(seed: seed)
    var count = 0
    for round in 0..<400 {
      let releases = History(using: &generator).releases
      guard releases.allSatisfy(\.isLegal) else { continue }
      for start in releases.indices.dropLast() {
        var file = releases[start].numbers
        var settled = releases[start].claims
        var last = start
        for next in (start + 1)..<releases.count
        where next == releases.count - 1 || generator.chance(0.4) {
          let (before, release) = (file, releases[next])
          let names = file.keys.sorted()
          for rename in Renames.plan(
            release.wanted, present: names, settled: settled, resolve: { $1.first })
          {
            #expect(file[rename.to] == nil)
            file[rename.to] = file.removeValue(forKey: rename.from)
          }
          let expected = release.numbers.filter { before.values.contains($0.value) }
          let found = file.filter { expected.values.contains($0.value) }
          let what = Comment(
            rawValue: "seed \(seed), round \(round), from \(last) to \(next) of \(releases)")
          #expect(found == expected, what)
          // What is new has none of the old ones' values.
          for (name, number) in release.numbers where !before.values.contains(number) {
            #expect(file[name] == nil || !release.numbers.values.contains(file[name] ?? -1), what)
          }
          if found != expected { return }
          // What has gone is dropped, and what is new is made.
          file = release.numbers
          settled.formUnion(release.claims)
          last = next
          count += 1
        }
      }
    }
    #expect(count > 200)
  }
}
