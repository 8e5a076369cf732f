/// Puts the scene together and shows it.
@MainActor struct EditMileageComposer {
  let garage: Garage

  /// Shows a car on top of what is seen; one that has gone meanwhile isn't shown.
  func show(source: any ScreenHost, carModelID: ModelID) {
    guard let view = try? makeModule(carModelID: carModelID) else { return }
    view.host = source
    source.push(view)
  }

  /// - Throws: What reading the car throws.
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
