/// A router to the scenes that the list can open.
@MainActor protocol OwnershipRouter: AnyObject {
  /// Shows a car.
  ///
  /// - Throws: The errors of reading it.
  func showEditMileage(carModelID: ModelID) throws
}

/// A composer that creates the scene, and opens the other one.
@MainActor final class OwnershipComposer: OwnershipRouter {
  private let garage: Garage
  private weak var host: (any ScreenHost)?

  init(garage: Garage, host: (any ScreenHost)?) {
    self.garage = garage
    self.host = host
  }

  /// Creates the scene and returns its view.
  ///
  /// The view holds the interactor. The interactor holds the presenter and the data provider. They
  /// hold their owners weakly.
  func makeModule() -> OwnershipView {
    let (interactor, presenter) = makeInteractor()
    let view = OwnershipView(interactor: interactor, router: self)
    view.host = host
    presenter.delegate = view
    return view
  }

  /// Creates everything except the view.
  func makeInteractor() -> (OwnershipInteractor, OwnershipPresenter) {
    let dataProvider = OwnershipDataProvider(garage: garage)
    let presenter = OwnershipPresenter()
    let interactor = OwnershipInteractor(dataProvider: dataProvider, presenter: presenter)
    dataProvider.delegate = interactor
    return (interactor, presenter)
  }

  func showEditMileage(carModelID: ModelID) throws {
    guard let host else { return }
    try EditMileageComposer(garage: garage).show(source: host, carModelID: carModelID)
  }
}
