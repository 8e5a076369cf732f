import ListDiffing
import Testing

@testable import CarOwnership

@MainActor @Suite struct OwnershipPresenterTests {
  @Test func `The presenter passes messages on, and keeps neither its source nor its view`() {
    let interactor = InteractorDouble()
    let presenter = OwnershipPresenter()
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
      presenter.interactorDidFilterData(interactor, source: provider)
      presenter.interactor(interactor, source: provider, didFinishWith: "x")
      presenter.interactorWillChangeContent(interactor, source: provider)
      presenter.interactor(
        interactor, source: provider, didChange: Seed.ownerships[2], at: nil, for: .insert,
        newPath: ListPath(section: 1, row: 0))
      #expect(
        view.log.lines
          == ["reload", "filter", "message x", "will", "insert 94,000 km nil 1.0"])
    }
    #expect(source == nil)
    #expect(delegate == nil)
    #expect(presenter.sectionIndexTitles == [])
  }
}
