import Foundation
import Testing

@testable import benchmarks

@Suite struct RunDifferenceTests {
  private func record(
    _ title: String = "Relays/send/1", unit: CostUnit = .nanoseconds, median: Double,
    min: Double? = nil, baseline: Double = 100, name: String = "plain"
  ) -> Report.Record {
    Report.Record(
      title: title, size: 1, unit: unit.rawValue, median: median, min: min ?? median, samples: 9,
      baseline: name, baselineMedian: baseline, ratio: median / baseline)
  }

  private func verdict(_ old: Report.Record, _ new: Report.Record) -> RecordChange.Verdict {
    RecordChange(old: old, new: new).verdict
  }

  @Test func `A cost that is dearer by more than a fifth is slower`() {
    #expect(verdict(record(median: 50), record(median: 58)) == .unchanged)
    #expect(verdict(record(median: 50), record(median: 62)) == .slower)
    #expect(verdict(record(median: 62), record(median: 50)) == .faster)
  }

  @Test func `A machine that is slower throughout changes nothing`() {
    #expect(verdict(record(median: 50), record(median: 100, baseline: 200)) == .unchanged)
    #expect(verdict(record(median: 50), record(median: 50, baseline: 200)) == .faster)
    #expect(verdict(record(median: 50), record(median: 50, baseline: 50)) == .slower)
  }

  @Test func `What the samples scatter is noise`() {
    let quiet = record(median: 50)
    #expect(verdict(quiet, record(median: 65)) == .slower)
    #expect(verdict(record(median: 50, min: 43), record(median: 65, min: 56)) == .unchanged)
    #expect(verdict(record(median: 50, min: 43), record(median: 75, min: 65)) == .slower)
  }

  @Test func `A median alone that moved says nothing, nor a minimum alone`() {
    #expect(verdict(record(median: 50), record(median: 80, min: 50)) == .unchanged)
    #expect(verdict(record(median: 50, min: 25), record(median: 50, min: 49)) == .unchanged)
  }

  @Test func `Bytes are counted, so a fiftieth is a change`() {
    let old = record(unit: .bytes, median: 100)
    #expect(verdict(old, record(unit: .bytes, median: 101)) == .unchanged)
    #expect(verdict(old, record(unit: .bytes, median: 103)) == .slower)
  }

  @Test func `Another unit or baseline, or a cost of nothing, can't be compared`() {
    let old = record(median: 50)
    #expect(verdict(old, record(unit: .microseconds, median: 50)) == .incomparable)
    #expect(verdict(old, record(median: 50, name: "other")) == .incomparable)
    #expect(verdict(old, record(median: 0)) == .incomparable)
    #expect(verdict(record(median: 50, baseline: 0), old) == .incomparable)
  }

  @Test func `The text names the slower ones first, the worst of them first, and counts`() {
    let old = [
      record("A/same/1", median: 10), record("A/faster/1", median: 10),
      record("A/slow/1", median: 10), record("A/slower/1", median: 10),
      record("A/gone/1", median: 1),
    ]
    let new = [
      record("A/same/1", median: 10), record("A/faster/1", median: 5),
      record("A/slow/1", median: 15), record("A/slower/1", median: 30),
      record("A/new/1", median: 1),
    ]
    let difference = RunDifference(from: old, to: new)
    #expect(difference.isSlower)
    #expect(
      difference.text == """
        slower        A/slower/1  10.0 ns → 30.0 ns, ratio 0.10 → 0.30, × 3.00, noise 1.20
        slower        A/slow/1  10.0 ns → 15.0 ns, ratio 0.10 → 0.15, × 1.50, noise 1.20
        faster        A/faster/1  10.0 ns → 5.00 ns, ratio 0.10 → 0.05, × 0.50, noise 1.20
        added         A/new/1
        removed       A/gone/1
        4 in both: 2 slower, 1 faster, 1 unchanged, 0 incomparable; 1 added, 1 removed

        """)
    #expect(!RunDifference(from: old, to: old).isSlower)
  }

  // MARK: The command

  private let output = Log<String>()
  private let errors = Log<String>()

  private func command(_ suite: BenchmarkSuite) -> Command {
    let (output, errors) = (output, errors)
    return Command(
      suites: [suite], output: { output.append($0) }, errors: { errors.append($0) })
  }

  @Test func `Two files are compared, and the status says whether anything is slower`() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (folder.url.appending(path: "a.json"), folder.url.appending(path: "b.json"))
    try JSONEncoder().encode([record(median: 50)]).write(to: old)
    try JSONEncoder().encode([record(median: 90)]).write(to: new)
    #expect(command(.selfCheck).run(["compare", old.path, new.path]) == 1)
    #expect(command(.selfCheck).run(["compare", new.path, old.path]) == 0)
    #expect(output.entries.map { $0.prefix(6) } == ["slower", "faster"])
  }

  @Test(arguments: [
    (["compare"], "compare takes two files, OLD and NEW"),
    (["compare", "a", "b", "c"], "compare takes two files, OLD and NEW"),
    (["compare", "a", "--quick"], "compare takes two files, OLD and NEW"),
    (["compare", "/nowhere.json", "/nowhere.json"], "'/nowhere.json' has no results of a run"),
  ])
  func `What can't be compared costs one line and status 2`(arguments: [String], reason: String) {
    #expect(command(.selfCheck).run(arguments) == 2)
    #expect(errors.entries == ["benchmarks: \(reason); see --help\n"])
  }

  @Test func `A check fails where a ratio is over its aim by more than half, and only there`() {
    let suite = BenchmarkSuite {
      Benchmark(
        "SelfCheck/near/1", unit: .bytes, aim: 1, measured: .constant("Signalbox", 14),
        baseline: .constant("B", 10))
      Benchmark(
        "SelfCheck/far/1", unit: .bytes, aim: 1, measured: .constant("Signalbox", 16),
        baseline: .constant("B", 10))
      Benchmark(
        "SelfCheck/known/1", unit: .bytes, aim: 1, knownMiss: KnownMiss(8, "a reason"),
        measured: .constant("Signalbox", 99), baseline: .constant("B", 10))
      Benchmark(
        "SelfCheck/farther/1", unit: .bytes, aim: 1, knownMiss: KnownMiss(6, "a reason"),
        measured: .constant("Signalbox", 99), baseline: .constant("B", 10))
      Benchmark(
        "SelfCheck/free/1", unit: .bytes, measured: .constant("Signalbox", 99),
        baseline: .constant("B", 10))
      Benchmark(
        "SelfCheck/small/1", unit: .bytes, absoluteAim: 10,
        measured: .constant("Signalbox", 14), baseline: .constant("B", 1))
      Benchmark(
        "SelfCheck/large/1", unit: .bytes, absoluteAim: 10,
        measured: .constant("Signalbox", 16), baseline: .constant("B", 1))
    }
    #expect(command(suite).run(["--quick"]) == 0)
    #expect(errors.entries.filter { $0.contains("over") }.isEmpty)
    #expect(command(suite).run(["--quick", "--check"]) == 1)
    #expect(
      errors.entries.filter { $0.contains("over") } == [
        "benchmarks: SelfCheck/far/1: a ratio of 1.60 is over its aim of 1.0 by more than half\n",
        "benchmarks: SelfCheck/farther/1: a ratio of 9.90 is over the 6.0 that is known by more than half\n",
        "benchmarks: SelfCheck/large/1: 16.0 B is over its aim of 10.0 B by more than half\n",
      ])
    #expect(command(suite).run(["--quick", "--check", "--filter", "near"]) == 0)
  }

  @Test func `A ratio that is far over its aim only once doesn't fail a check`() {
    nonisolated(unsafe) let runs = Log<Int>()
    let suite = BenchmarkSuite {
      Benchmark(
        "SelfCheck/disturbed/1", unit: .bytes, aim: 1,
        measured: .figure("Signalbox") {
          runs.append(1)
          let cost: Double = runs.entries.count == 1 ? 90 : 10
          return { cost }
        }, baseline: .constant("B", 10))
    }
    #expect(command(suite).run(["--quick", "--check"]) == 0)
    #expect(output.entries.contains("Once more:\n"))
    #expect(runs.entries.count == 2)
  }
}
