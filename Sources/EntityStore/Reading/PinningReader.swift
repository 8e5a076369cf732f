/// A reader that pins conditions of time itself, to an instant of its own.
package protocol PinningReader: StorageReader {
  /// The instant, in seconds since 1970.
  var instant: Double { get }
}
