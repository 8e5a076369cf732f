internal import EntityStore
internal import Foundation

/// What is known of the order of stored forms.
enum StoredOrder {
  /// Whether values of a type are in the order of their stored forms.
  static func isOrder(of type: Any.Type) -> Bool {
    switch type {
    case is any FixedWidthInteger.Type, is Double.Type, is Float.Type, is String.Type,
      is Date.Type, is UUID.Type, is Decimal.Type:
      true
    default: false
    }
  }
}
