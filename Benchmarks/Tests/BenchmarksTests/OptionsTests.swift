import Testing

@testable import benchmarks

@Suite struct OptionsTests {
  @Test func `No argument means a full run`() throws {
    #expect(try Options(parsing: []) == Options())
  }

  @Test func `Every option is understood`() throws {
    let options = try Options(
      parsing: ["--filter", "send", "--quick", "--check", "--json", "a.json", "--svg", "charts"])
    #expect(
      options
        == Options(
          filter: "send", isQuick: true, isChecked: true, jsonFile: "a.json", svgFolder: "charts"))
  }

  @Test func `Help wins over a list`() throws {
    #expect(try Options(parsing: ["--list"]).action == .list)
    #expect(try Options(parsing: ["--list", "--help"]).action == .help)
    #expect(try Options(parsing: ["-h", "--list"]).action == .help)
  }

  @Test(arguments: ["--filter", "--json", "--svg"])
  func `An option without its value is refused`(option: String) {
    let error = UsageError(reason: "option '\(option)' lacks its value")
    #expect(throws: error) { try Options(parsing: [option]) }
    #expect(throws: error) { try Options(parsing: [option, "--quick"]) }
    #expect(throws: error) { try Options(parsing: [option, ""]) }
  }

  @Test func `An unknown option is refused`() {
    #expect(throws: UsageError(reason: "unknown option '--slow'")) {
      try Options(parsing: ["--quick", "--slow"])
    }
    #expect(throws: UsageError(reason: "unexpected argument 'Relays'")) {
      try Options(parsing: ["Relays"])
    }
  }

  @Test func `A usage error is one line that names the help`() {
    let line = UsageError(reason: "unknown option '--slow'").description
    #expect(line == "benchmarks: unknown option '--slow'; see --help")
  }
}
