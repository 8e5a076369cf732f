import ListDiffing
import Testing

@testable import CarOwnership

@MainActor @Suite struct OwnershipPresenterTests {
  private let provider = DataProviderDouble()
  private let interactor = InteractorDouble()
  private let view = ViewDouble()
  private let presenter = OwnershipPresenter()

  init() {
    provider.sections = [Array(Seed.ownerships[0..<2]), Array(Seed.ownerships[2..<5])]
    presenter.delegate = view
  }

  @Test func `Notifications are passed on, with view models`() {
    let path = ListPath(section: 1, row: 0)
    presenter.interactorDidReloadData(interactor, source: provider)
    presenter.interactorWillChangeContent(interactor, source: provider)
    presenter.interactorDidChangeSection(
      interactor, source: provider, at: nil, for: .insert, newIndex: 1)
    presenter.interactor(
      interactor, source: provider, didChange: Seed.ownerships[2], at: nil, for: .insert,
      newPath: path)
    presenter.interactor(
      interactor, source: provider, didChange: nil, at: path, for: .delete, newPath: nil)
    presenter.interactorDidChangeContent(interactor, source: provider)
    presenter.interactorDidFilterData(interactor, source: provider)
    presenter.interactor(interactor, source: provider, didFinishWith: "x")
    #expect(
      view.log.lines == [
        "reload", "will", "insert section -1 1", "insert 94,000 km nil 1.0", "delete nil 1.0 nil",
        "did",
        "filter", "message x",
      ])
  }

  @Test func `The view's questions are passed on to the data source`() {
    #expect(presenter.numberOfSections == 0)
    #expect(presenter.viewModel(at: ListPath(section: 0, row: 0)) == nil)
    presenter.interactorDidReloadData(interactor, source: provider)
    #expect(presenter.numberOfSections == 2)
    #expect(presenter.numberOfRowsInSection(at: 1) == 3)
    #expect(presenter.sectionTitle(at: 1) == "John")
    #expect(presenter.sectionIndexTitles == ["A", "J"])
    #expect(presenter.section(forSectionIndexTitle: "J", at: 1) == 1)
    let viewModel = presenter.viewModel(at: ListPath(section: 1, row: 1))
    #expect(viewModel?.car == CarViewModel(Seed.ownerships[3].car))
    #expect(viewModel?.person.birthdate == "23 11 1975")
    #expect(presenter.carModelID(at: ListPath(section: 1, row: 1)) == "john-3")
  }

  @Test func `The presenter doesn't keep its source, nor its view`() {
    weak var source: DataProviderDouble?
    weak var delegate: ViewDouble?
    do {
      let provider = DataProviderDouble()
      let view = ViewDouble()
      source = provider
      delegate = view
      presenter.delegate = view
      presenter.interactorDidReloadData(interactor, source: provider)
      #expect(presenter.numberOfSections == 0)
    }
    #expect(source == nil)
    #expect(delegate == nil)
    #expect(presenter.sectionIndexTitles == [])
  }
}
