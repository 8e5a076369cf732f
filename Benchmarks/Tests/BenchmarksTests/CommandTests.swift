import Foundation
import Testing

@testable import benchmarks

@Suite struct CommandTests {
  private let output = Log<String>()
  private let errors = Log<String>()
  private let folder = Result { try TemporaryFolder() }

  private var command: Command {
    let (output, errors) = (output, errors)
    return Command(
      suites: [.selfCheck], output: { output.append($0) }, errors: { errors.append($0) })
  }

  @Test func `Help is the only thing it prints`() {
    #expect(command.run(["--help"]) == 0)
    #expect(output.entries == [Options.help])
    #expect(errors.entries.isEmpty)
  }

  @Test func `A list has the titles that match`() {
    #expect(command.run(["--list", "--filter", "contains/100"]) == 0)
    #expect(output.entries == ["SelfCheck/contains/100\n", "SelfCheck/contains/1000\n"])
  }

  @Test(arguments: [
    (["--slow"], "unknown option '--slow'"),
    (["--json"], "option '--json' lacks its value"),
    (["--filter", "nothing"], "no title contains 'nothing'"),
    (["profile", "Nothing/at/1"], "no title is 'Nothing/at/1'"),
    (["profile"], "profile takes one TITLE"),
    (["--json", "/nowhere/at/all.json"], "cannot write to '/nowhere/at/all.json'"),
    (["--json", "/tmp"], "cannot write to '/tmp'"),
    (["--svg", "/dev/null/charts"], "cannot make the folder '/dev/null/charts'"),
  ])
  func `What it cannot follow costs one line and status 2`(
    arguments: [String], reason: String
  ) {
    #expect(command.run(arguments) == 2)
    #expect(output.entries.isEmpty)
    #expect(errors.entries == ["benchmarks: \(reason); see --help\n"])
  }

  @Test func `A quick run prints rows and writes both kinds of file`() throws {
    let url = try folder.get().url
    let json = url.appendingPathComponent("results.json")
    let charts = url.appendingPathComponent("charts/today")
    let status = command.run(["--quick", "--json", json.path, "--svg", charts.path])

    #expect(status == 0)
    #expect(output.entries.count == 7)
    let records = try JSONDecoder().decode([Report.Record].self, from: Data(contentsOf: json))
    #expect(records.map(\.title) == Catalog([.selfCheck]).benchmarks.map(\.title.description))
    #expect(records.allSatisfy { $0.samples >= 3 && $0.min <= $0.median && $0.ratio > 0 })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: charts.path).sorted() == [
        "SelfCheck-append.svg", "SelfCheck-contains.svg", "SelfCheck-stride.svg",
      ])
  }

  @Test func `A benchmark that fails leaves the others running and status 1`() {
    let (output, errors) = (output, errors)
    let suite = BenchmarkSuite {
      Benchmark("SelfCheck/bad/1", measured: .timed { { _ in } }, baseline: .constant("B"))
      Benchmark(
        "SelfCheck/good/1", unit: .bytes, measured: .constant(), baseline: .constant("B"))
    }
    let command = Command(
      suites: [suite], output: { output.append($0) }, errors: { errors.append($0) })
    #expect(command.run(["--quick"]) == 1)
    #expect(output.entries.count == 2)
    #expect(
      errors.entries.last
        == "benchmarks: SelfCheck/bad/1: \"Signalbox\" measured no operation\n")
  }

  @Test func `A temporary folder goes with its last owner`() throws {
    let path = try TemporaryFolder().url.path
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
