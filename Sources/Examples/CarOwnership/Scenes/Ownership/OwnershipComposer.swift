/// Where the list can lead to.
@MainActor protocol OwnershipRouter: AnyObject {
  func showEditMileage(carModelID: ModelID)
}

/// Puts the scene together, and leads to the other one.
@MainActor final class OwnershipComposer: OwnershipRouter {
  private let garage: Garage
  private weak var host: (any ScreenHost)?

  init(garage: Garage, host: (any ScreenHost)?) {
    self.garage = garage
    self.host = host
  }

  /// The scene's view; it holds the interactor, that the presenter and the data provider, and these
  /// know those before them weakly.
  func makeModule() -> OwnershipView {
    let (interactor, presenter) = makeInteractor()
    let view = OwnershipView(interactor: interactor, router: self)
    view.host = host
    presenter.delegate = view
    return view
  }

  /// All but the view.
  func makeInteractor() -> (OwnershipInteractor, OwnershipPresenter) {
    let dataProvider = OwnershipDataProvider(garage: garage)
    let presenter = OwnershipPresenter()
    let interactor = OwnershipInteractor(dataProvider: dataProvider, presenter: presenter)
    dataProvider.delegate = interactor
    return (interactor, presenter)
  }

  func showEditMileage(carModelID: ModelID) {
    guard let host else { return }
    EditMileageComposer(garage: garage).show(source: host, carModelID: carModelID)
  }
}
