internal import EntityStore
internal import Foundation

/// The types whose stored forms are known to be in order.
enum StoredOrder {
  /// Returns true if values of a type are in the order of their stored forms.
  static func isOrder(of type: Any.Type) -> Bool {
    switch type {
    case is any FixedWidthInteger.Type, is Double.Type, is Float.Type, is String.Type,
      is Date.Type, is UUID.Type, is Decimal.Type:
      true
    default: false
    }
  }
}
