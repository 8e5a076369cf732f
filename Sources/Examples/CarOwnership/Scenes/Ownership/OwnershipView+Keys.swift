import ListDiffing
import TerminalScreen

extension OwnershipView {
  func take(_ key: Key) {
    message = ""
    switch mode {
    case .browsing: browse(key)
    case .help: mode = .browsing
    case .jumping: jump(key)
    case .filtering(let input): filter(key, input)
    case .renaming(let input, let person, let id): rename(key, input, person, of: id)
    case .inserting(let form): insert(key, form)
    }
  }

  private func browse(_ key: Key) {
    switch key {
    case .up, .character("k"): page.chooseRow(by: -1)
    case .down, .character("j"): page.chooseRow(by: 1)
    case .pageUp, .control("b"): page.chooseRow(by: -max(1, height - 1))
    case .pageDown, .control("f"), .character(" "): page.chooseRow(by: max(1, height - 1))
    case .home: page.chooseRow(by: -page.rowCount)
    case .end, .character("G"): page.chooseRow(by: page.rowCount)
    case .tab, .right: page.chosen.map { page.chooseSection($0.section + 1) }
    case .backTab, .left: page.chosen.map { page.chooseSection($0.section - 1) }
    case .character("g"): mode = .jumping
    case .character("/"): mode = .filtering(TextInput(filter))
    case .escape: setFilter("")
    case .character("s"):
      order = order.next
      interactor.sortData(by: order)
    case .character("i"):
      mode = .inserting(OwnershipForm(likely: chosenViewModel?.person))
    case .character("r"):
      if let person = chosenViewModel?.person, let id = chosenCarModelID {
        mode = .renaming(TextInput(person.name), person, carModelID: id)
      }
    case .character("e"), .enter:
      guard let id = chosenCarModelID else { return }
      do { try router.showEditMileage(carModelID: id) } catch { message = "\(error)" }
    case .character("d"), .delete:
      guard let path = page.chosen else { return }
      message = "Deleted. u takes it back."
      interactor.deleteObject(at: path)
    case .character("u"): interactor.undo()
    case .character("U"), .control("r"): interactor.redo()
    case .character("?"), .character("h"): mode = .help
    case .character("q"): host?.pop()
    default: message = "? shows the keys."
    }
  }

  private var chosenViewModel: OwnershipViewModel? {
    page.chosen.flatMap { source?.viewModel(at: $0) }
  }

  private var chosenCarModelID: ModelID? { page.chosen.flatMap { source?.carModelID(at: $0) } }

  private func jump(_ key: Key) {
    mode = .browsing
    guard case .character(let letter) = key, let source else { return }
    if letter == "g" { return page.chooseRow(by: -page.rowCount) }
    let titles = source.sectionIndexTitles
    guard let index = titles.firstIndex(of: letter.uppercased()) else {
      return message = "No owner begins with \(letter)."
    }
    page.chooseSection(source.section(forSectionIndexTitle: titles[index], at: index))
  }

  private func setFilter(_ text: String) {
    guard text != filter else { return }
    filter = text
    interactor.filterData(containing: text)
  }

  private func filter(_ key: Key, _ input: TextInput) {
    var input = input
    switch key {
    case .enter: mode = .browsing
    case .escape:
      mode = .browsing
      setFilter("")
    case .up: page.chooseRow(by: -1)
    case .down: page.chooseRow(by: 1)
    default:
      guard input.take(key) else { return }
      mode = .filtering(input)
      setFilter(input.text)
    }
  }

  private func rename(
    _ key: Key, _ input: TextInput, _ person: PersonViewModel, of id: ModelID
  ) {
    var input = input
    switch key {
    case .escape: mode = .browsing
    case .enter:
      do {
        let name = try ViewModelError.checked(input.text, as: "owner")
        mode = .browsing
        // Another program may have deleted the car, and another row is chosen then.
        guard let path = page.chosen, chosenCarModelID == id, chosenViewModel?.person == person
        else {
          return message = "\(person.name)'s car has changed. Nothing was renamed."
        }
        interactor.renameOwner(at: path, to: name)
      } catch { message = "\(error)" }
    default: if input.take(key) { mode = .renaming(input, person, carModelID: id) }
    }
  }

  private func insert(_ key: Key, _ form: OwnershipForm) {
    var form = form
    switch key {
    case .escape: mode = .browsing
    case .enter:
      do throws(ViewModelError) {
        if try form.advance() { return mode = .inserting(form) }
        let ownership = try form.viewModel.makeOwnership()
        mode = .browsing
        choosesInserted = true
        interactor.insertObject(by: ownership)
        choosesInserted = false
      } catch {
        message = error.description
        mode = .inserting(form)
      }
    default: if form.input.take(key) { mode = .inserting(form) }
    }
  }
}
