/// A composer that creates the scene and shows it.
@MainActor struct EditMileageComposer {
  let garage: Garage

  /// Shows a car on top of the current view.
  ///
  /// - Throws: The errors of reading the car, also if it has been deleted in the meantime.
  func show(source: any ScreenHost, carModelID: ModelID) throws {
    let view = try makeModule(carModelID: carModelID)
    view.host = source
    source.push(view)
  }

  /// Creates the scene and returns its view.
  ///
  /// - Throws: The errors of reading the car.
  func makeModule(carModelID: ModelID) throws -> EditMileageView {
    let dataProvider = try EditMileageDataProvider(garage: garage, carModelID: carModelID)
    let presenter = EditMileagePresenter()
    let interactor = EditMileageInteractor(dataProvider: dataProvider, presenter: presenter)
    let view = EditMileageView(interactor: interactor)
    dataProvider.delegate = interactor
    presenter.delegate = view
    return view
  }
}
