/// The limits on the length of a text from outside in a sentence.
package enum WordLimit {
  /// The limit of a name or a value.
  package static let value = 100
  /// The limit of a sentence that isn't the library's own.
  package static let sentence = 1000
}
