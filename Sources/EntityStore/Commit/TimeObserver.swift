/// An observer whose conditions change with time.
package protocol TimeObserver: AnyObject, Sendable {
  /// Prepares the observer's changes at an instant, while nothing is committed.
  ///
  /// - Parameters:
  ///   - instant: the seconds since 1970.
  ///   - reader: a reader of the last version, which must not be kept.
  /// - Returns: the work to do, or nil if there is none.
  func prepare(at instant: Double, reading reader: any StorageReader) -> PreparedDelivery?
}
