import Signalbox
import TerminalScreen
import TestSupport
import Testing

@testable import CarOwnership

@MainActor @Suite struct ComposerTests {
  @Test func `A composed scene works, and is released when it is closed`() throws {
    let garage = try Garage(.inMemory)
    let display = DisplayDouble()
    weak var list: OwnershipView?
    weak var interactor: AnyObject?
    weak var presenter: AnyObject?
    weak var stack: ScreenStack?
    do {
      let screens = ScreenStack(display: display)
      stack = screens
      screens.push(OwnershipComposer(garage: garage, host: screens).makeModule())
      #expect(display.texts[1] == " Amir (2)")
      screens.take(.end)
      screens.take(.enter)
      #expect(display.texts[0] == " Edit the mileage")
      for letter in "77" { screens.take(.character(letter)) }
      screens.take(.enter)
      #expect(display.texts[9].contains("77 km"))
      screens.take(.character("d"))
      #expect(!display.texts.contains { $0.contains("Sara") })
      screens.take(.character("u"))
      #expect(display.texts.contains { $0.contains("Sara (1)") })
      screens.take(.character("q"))
      #expect(screens.isEmpty)
    }
    let module = { () -> OwnershipView in
      OwnershipComposer(garage: garage, host: nil).makeModule()
    }
    do {
      let view = module()
      view.didAppear()
      list = view
      interactor = view.interactor
      presenter = view.source
      #expect(presenter != nil)
    }
    #expect(stack == nil)
    #expect(list == nil)
    #expect(interactor == nil)
    #expect(presenter == nil)
    // Nobody is told any more, and nothing is kept for it.
    try garage.store.commit { try $0.delete(CarRecord.self, "amir-X5") }
  }

  @Test func `The other scene is released, too`() throws {
    let garage = try Garage(.inMemory)
    try garage.store.commit { try Seed.fill($0) }
    weak var mileage: EditMileageView?
    weak var provider: EditMileageDataProvider?
    do {
      let view = try EditMileageComposer(garage: garage).makeModule(carModelID: "amir-X5")
      view.didAppear()
      #expect(view.viewModel?.car.model == "X5")
      mileage = view
    }
    do {
      let other = try EditMileageDataProvider(garage: garage, carModelID: "amir-X5")
      provider = other
      other.reloadData()
    }
    #expect(mileage == nil)
    #expect(provider == nil)
  }

  @Test func `Only rows of the screen that differ are written`() throws {
    let garage = try Garage(.inMemory)
    let display = DisplayDouble(columns: 80, rows: 24)
    let stack = ScreenStack(display: display)
    stack.push(OwnershipComposer(garage: garage, host: stack).makeModule())
    let before = display.written.count
    try garage.store.commit { try $0.update(CarRecord.self, "sara-Corolla") { $0.mileage = 9 } }
    // The row, and then the status line with what it cost.
    #expect(display.written[before...] == [1, 1] || display.written[before...] == [2, 1])
    #expect(display.texts.last?.contains("touched 1, drew ") == true)
    withExtendedLifetime(stack) {}
  }
}
