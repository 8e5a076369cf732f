import ListDiffing
import TerminalScreen
import Testing

@testable import CarOwnership

@MainActor @Suite struct OwnershipViewTests {
  private let interactor = InteractorDouble()
  private let host = HostDouble()
  private let source = ViewModelSourceDouble()
  private let view: OwnershipView
  private let size = ScreenSize(columns: 60, rows: 14)

  init() {
    view = OwnershipView(interactor: interactor, router: host)
    view.host = host
    let documents = Seed.ownerships.map { OwnershipViewModel($0) }
    source.sections = [
      ("Amir", Array(documents[0..<2])), ("John", Array(documents[2..<5])),
      ("Sara", [documents[5]]),
    ]
    view.presenterDidReloadData(source)
  }

  private func type(_ text: String) { for letter in text { view.take(.character(letter)) } }

  private var texts: [String] { view.rows(for: size).map { trimmed($0.text) } }

  private var chosenText: String? {
    view.rows(for: size).dropFirst().dropLast(2).first { $0.rest.isInverse }.map {
      trimmed($0.text)
    }
  }

  @Test func `Rows stand under their owners, the chosen one inverse`() {
    #expect(texts[1] == "Amir (2)")
    #expect(texts[2].hasPrefix("X5") && texts[2].hasSuffix("20,000 km"))
    #expect(texts[4] == "John (3)")
    #expect(texts[13].hasPrefix("6 rows"))
    #expect(chosenText?.hasPrefix("X5") == true)
  }

  @Test func `Keys choose rows, sections and titles of the index`() {
    func press(_ key: Key) -> String {
      view.take(key)
      return chosenText.map { String($0.prefix { $0 != " " }) } ?? ""
    }
    #expect(press(.down) == "S500")
    #expect(press(.character("j")) == "Camry")
    #expect(press(.up) == "S500")
    #expect(press(.tab) == "Camry")
    #expect(press(.tab) == "Corolla")
    #expect(press(.tab) == "Corolla")
    #expect(press(.backTab) == "Camry")
    #expect(press(.home) == "X5")
    #expect(press(.character("k")) == "X5")
    #expect(press(.end) == "Corolla")
    #expect(press(.pageUp) == "X5")
    _ = press(.character("g"))
    #expect(press(.character("j")) == "Camry")
    _ = press(.character("g"))
    #expect(press(.character("x")) == "Camry")
    #expect(texts[12] == "No owner begins with x.")
  }

  @Test func `Keys are requests`() {
    view.take(.down)
    type("duUse")
    view.take(.control("r"))
    view.take(.enter)
    type("q")
    #expect(
      interactor.log.lines == ["delete at 0.1", "undo", "redo", "sort manufacturer", "redo"])
    #expect(host.log.lines == ["mileage of car 0.1", "mileage of car 0.1", "pop"])
  }

  @Test func `A car that can't be shown is reported`() {
    host.refuses = true
    view.take(.enter)
    #expect(texts[12] == "refused")
    #expect(host.log.lines == [])
  }

  @Test func `The filter asks as it is typed, and Escape shows all`() {
    type("/ca")
    view.take(.backspace)
    view.take(.enter)
    #expect(interactor.log.take() == ["filter c", "filter ca", "filter c"])
    view.take(.escape)
    #expect(interactor.log.take() == ["filter "])
    view.take(.escape)
    #expect(interactor.log.take() == [])
  }

  @Test func `An owner gets another name, unless it is none`() {
    view.take(.tab)
    type("r")
    view.take(.control("u"))
    view.take(.enter)
    #expect(texts[12] == "The owner's name: ▏  The owner needs a name.")
    type("Zed")
    view.take(.enter)
    #expect(interactor.log.lines == ["rename 1.0 Zed"])
  }

  @Test func `A document is written field by field, and again where it can't be read`() {
    type("i")
    #expect(texts[12] == "Owner: Amir▏")
    view.take(.enter)
    #expect(texts[12] == "Born (dd mm yyyy or yyyy-mm-dd): 04 05 1980▏")
    view.take(.control("u"))
    type("May")
    view.take(.enter)
    // At once, not when all has been written.
    #expect(
      texts[12]
        == "Born (dd mm yyyy or yyyy-mm-dd): May▏  "
        + "\"May\" is not a day like 04 05 1980 or 1980-05-04.")
    view.take(.control("u"))
    type("04 05 1980")
    view.take(.enter)
    view.take(.enter)
    #expect(texts[12] == "Manufacturer: ▏  The manufacturer needs a name.")
    for field in ["Saab", "900", "ten"] {
      type(field)
      view.take(.enter)
    }
    #expect(interactor.log.lines == [])
    #expect(texts[12] == "Mileage: ten▏  \"ten\" is not a number of kilometres.")
    view.take(.control("u"))
    type("7")
    view.take(.enter)
    #expect(interactor.log.lines == ["insert Amir Saab 900 7"])
    type("iX")
    view.take(.enter)
    #expect(texts[12] == "Born (dd mm yyyy or yyyy-mm-dd): ▏")
    view.take(.escape)
    type("u")
    #expect(interactor.log.lines.last == "undo")
  }

  @Test
  func `A covered list is paused, and gets the difference when it is visible again`() {
    view.didAppear()
    view.didDisappear()
    view.didAppear()
    #expect(interactor.log.lines == ["reload", "pause", "resume"])
  }

  @Test func `Only rows that a batch names are redrawn`() {
    _ = texts
    source.log.lines = []
    source.sections[1].rows[1].car.mileage = "99 km"
    let path = ListPath(section: 1, row: 1)
    view.presenterWillChangeContent(source)
    view.presenter(
      source, didChange: source.sections[1].rows[1], at: path, for: .update, newPath: path)
    view.presenterDidChangeContent(source)
    #expect(texts[6].hasSuffix("99 km"))
    // What is shown came with the batch, and nothing was asked for.
    #expect(source.log.take() == [])
    #expect(view.work.touched == 1)

    // A row that no batch names is not drawn anew.
    source.sections[0].rows[0].car.mileage = "1 km"
    #expect(texts[2].hasSuffix("20,000 km"))
  }

  @Test func `A section that moves takes its rows along undrawn, and the chosen row stays it`() {
    view.take(.tab)
    _ = texts
    source.log.lines = []
    let john = source.sections.remove(at: 1)
    source.sections.append(("Zed", john.rows))
    view.presenterWillChangeContent(source)
    view.presenterDidChangeSection(source, at: 1, for: .move, newIndex: 2)
    view.presenterDidChangeContent(source)
    #expect(texts[6] == "Zed (3)")
    #expect(chosenText?.hasPrefix("Camry") == true)
    #expect(source.log.take() == [])
  }

  /// Deletes the last section, which has one row.
  private func deleteLastSection() {
    source.sections.removeLast()
    view.presenterWillChangeContent(source)
    view.presenterDidChangeSection(source, at: 2, for: .delete, newIndex: nil)
    view.presenter(
      source, didChange: nil, at: ListPath(section: 2, row: 0), for: .delete, newPath: nil)
    view.presenterDidChangeContent(source)
  }

  @Test func `When the chosen row goes, the one in its place is chosen`() {
    view.take(.end)
    deleteLastSection()
    #expect(chosenText?.hasPrefix("320i") == true)
  }

  @Test(arguments: [false, true])
  func `When the car whose owner gets a name goes, or is given away, nobody is renamed`(
    _ isGivenAway: Bool
  ) {
    view.take(.end)
    type("r")
    if isGivenAway {
      source.sections[2].rows[0].person.name = "John"
    } else {
      deleteLastSection()
    }
    type("h")
    view.take(.enter)
    #expect(interactor.log.lines == [])
    #expect(texts.contains { $0.contains("Sara's car has changed. Nothing was renamed.") })
  }

  @Test func `A status line shows what the change cost, and for a filter no time`() {
    let start = ContinuousClock.now
    source.committedAt = start
    view.presenterWillChangeContent(source)
    view.presenterDidChangeContent(source)
    #expect(view.didDraw(rowsWritten: 3, at: start + .microseconds(250)))
    #expect(
      texts[13] == "6 rows: touched 0, drew 3 lines, 250 µs from commit to drawn".prefix(59) + "…"
        || texts[13].contains("250 µs"))
    #expect(!view.didDraw(rowsWritten: 1, at: start))
    view.presenterWillChangeContent(source)
    view.presenterDidChangeContent(source)
    _ = view.didDraw(rowsWritten: 3, at: start + .microseconds(900))
    #expect(!texts[13].contains("µs"))
  }

  @Test(arguments: 0...12, [1, 5, 20, 200])
  func `Whatever the screen's size, it is filled and no more`(rows: Int, columns: Int) {
    for keys in ["", "jjjj", "G", "?", "/x", "i"] {
      type(keys)
      let shown = view.rows(for: ScreenSize(columns: columns, rows: rows))
      #expect(shown.count == rows)
      if rows > 3, keys == "jjjj" || keys == "G" {
        #expect(shown.dropFirst().dropLast(2).contains { $0.rest.isInverse })
      }
      view.take(.escape)
    }
  }
}
