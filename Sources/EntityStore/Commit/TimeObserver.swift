/// An observer whose conditions change with time.
package protocol TimeObserver: AnyObject, Sendable {
  /// Prepares the observer's changes at an instant, in seconds since 1970; nil if there are none.
  ///
  /// Nothing is committed meanwhile. The reader is of the last version, and must not be kept.
  func prepare(at instant: Double, reading reader: any StorageReader) -> PreparedDelivery?
}
