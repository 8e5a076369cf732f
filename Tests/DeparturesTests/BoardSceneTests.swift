import Signalbox
import TerminalScreen
import Testing

@testable import Departures
@testable import DeparturesModel

@MainActor struct BoardSceneTests {
  /// Who is asked for commits, and makes none.
  private struct Wishes: BoardCommands {
    let made = StateRelay<[String]>([])

    func rename(airline code: String, to name: String) -> Int64? {
      made.modify { $0.append("\(code) is \(name)") }
      return nil
    }
    func rename(aircraft tailNumber: String, to model: String) -> Int64? {
      made.modify { $0.append("\(tailNumber) is \(model)") }
      return nil
    }
  }

  private let wishes = Wishes()

  private func scene() throws -> (BoardScene, Replay) {
    let replay = try Replay(bundledTables(), in: .inMemory, options: Options())
    for _ in 0..<200 { try replay.advance() }
    return (BoardScene(replay.presenter, Playback(speed: 5), commands: wishes), replay)
  }

  private let size = ScreenSize(columns: 100, rows: 24)

  private func press(_ keys: [Key], _ scene: BoardScene) throws -> [String] {
    let view = SceneView(scene: scene)
    for key in keys {
      view.take(key)
      _ = try view.lines(size: size)
    }
    return try view.lines(size: size).map(\.text)
  }

  @Test func `s goes round the sections, and space and + set the pace`() throws {
    let (scene, _) = try scene()
    #expect(try press([], scene)[0].contains("by status"))
    #expect(try press([.character("s")], scene)[0].contains("by origin"))
    #expect(try press([.character("s")], scene)[0].contains("by carrier"))
    #expect(try press([.character("s")], scene)[0].contains("by status"))
    #expect(try press([.character(" ")], scene)[0].contains("paused"))
    #expect(try press([.character(" "), .character("+")], scene)[0].contains("10 min/s"))
    #expect(try press([.character("-"), .character("-")], scene)[0].contains("2.5 min/s"))
  }

  @Test func `What is typed after a slash is searched for at once; Escape takes it back`() throws {
    let (scene, replay) = try scene()
    let all = replay.presenter.rowCount
    let lines = try press([.character("/"), .character("B"), .character("6")], scene)
    #expect(lines[0].contains("/B6"))
    #expect(lines[23].hasPrefix("search: B6"))
    #expect(replay.presenter.rowCount < all)
    #expect(try press([.enter], scene)[23].contains("q quit"))
    #expect(replay.presenter.request.search == "B6")
    _ = try press([.escape], scene)
    #expect(replay.presenter.rowCount == all)
    _ = try press([.character("/"), .character("q"), .escape], scene)
    #expect(replay.presenter.rowCount == all)
    #expect(!scene.hasEnded)
  }

  @Test func `Renaming sends a wish to the committer, and begins with the current name`() throws {
    let (scene, replay) = try scene()
    _ = try press([], scene)
    let lines = try press([.character("r")], scene)
    let names = try #require(replay.presenter.namesOfChosen)
    #expect(lines[23] == "name of \(names.carrier): \(names.airline) ")
    _ = try press([.control("u"), .character("X"), .enter], scene)
    #expect(wishes.made.value == ["\(names.carrier) is X"])
    // Nothing, and what was left, is no wish.
    _ = try press([.character("r"), .control("u"), .enter, .character("r"), .escape], scene)
    #expect(wishes.made.value.count == 1)
  }

  @Test func `Enter shows the flight, i the inspector, Escape the board, and q is the end`() throws
  {
    let (scene, replay) = try scene()
    _ = try press([.down, .down], scene)
    let chosen = try #require(replay.presenter.chosen?.id)
    let flight = replay.dispatcher.tables.flights[chosen - 1]
    #expect(try press([.enter], scene)[0].hasPrefix("Flight \(flight.carrier) \(flight.number) "))
    #expect(try press([.escape], scene)[0].hasPrefix("Departures"))
    try replay.advance()
    let lines = try press([.character("i")], scene)
    #expect(lines[0].hasPrefix("Inspector"))
    #expect(lines.contains { $0.contains("Playhead ~1") })
    #expect(try press([.character("i")], scene)[0].hasPrefix("Departures"))
    _ = try press([.character("q")], scene)
    #expect(scene.hasEnded)
  }

  @Test func `The arrows and Tab lead through rows and sections, and to both ends`() throws {
    let (scene, replay) = try scene()
    let presenter = replay.presenter
    let counts = presenter.sectionCounts
    _ = try press([.end], scene)
    #expect(presenter.scroll.chosen == presenter.rowCount - 1)
    _ = try press([.home, .tab], scene)
    #expect(presenter.scroll.chosen == counts[0])
    _ = try press([.down, .backTab], scene)
    #expect(presenter.scroll.chosen == counts[0])
    _ = try press([.backTab, .up], scene)
    #expect(presenter.scroll.chosen == 0)
    _ = try press([.pageDown], scene)
    #expect(presenter.scroll.chosen == min(19, presenter.rowCount - 1))
  }

  @Test func `Time stands still while it is paused, and no faster than asked otherwise`() {
    let playback = Playback(speed: 5)
    let (first, last) = (Minute(sinceEpoch: 100), Minute(sinceEpoch: 200))
    playback.advance(by: 1, from: first, until: last)
    #expect(playback.minute == Minute(sinceEpoch: 105))
    playback.advance(by: 0.1, from: first, until: last)
    playback.advance(by: 0.1, from: first, until: last)
    #expect(playback.minute == Minute(sinceEpoch: 106))
    playback.isPaused = true
    playback.advance(by: 100, from: first, until: last)
    #expect(playback.minute == Minute(sinceEpoch: 106))
    playback.isPaused = false
    playback.advance(by: 100, from: first, until: last)
    #expect(playback.minute == last)
  }
}
