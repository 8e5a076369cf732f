import EntityStore
import Foundation
import FoundationSupport

struct Flight: Entity {
  let id: Int
  var departs: Date
  static let attributes = Attributes(.id(\Flight.id), .attribute("departs", \.departs))
  static let schema = Schema(attributes, Flight.init)
}

let late = Query<Flight>().filter { $0.departs < .now }
