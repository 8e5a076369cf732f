/// The use cases of the scene.
///
/// It reports their results to the presenter.
@MainActor final class EditMileageInteractor: EditMileageInteractorInput {
  private let dataProvider: any EditMileageDataProviderInput
  private let presenter: any EditMileagePresenterInput

  init(dataProvider: any EditMileageDataProviderInput, presenter: any EditMileagePresenterInput) {
    self.dataProvider = dataProvider
    self.presenter = presenter
  }

  func reloadData() { dataProvider.reloadData() }

  func updateMileage(_ mileage: Int) {
    do {
      try dataProvider.updateMileage(mileage)
      presenter.interactorDidUpdate(self)
    } catch {
      presenter.interactor(self, didFailWith: "\(error)")
    }
  }
}

extension EditMileageInteractor: EditMileageDataProviderDelegate {
  func providerDidChangeObject(_ provider: any EditMileageDataProviderInput) {
    presenter.interactor(self, didShow: provider.object)
  }

  func provider(_ provider: any EditMileageDataProviderInput, didFail error: any Error) {
    presenter.interactor(self, didFailWith: "\(error)")
  }
}
