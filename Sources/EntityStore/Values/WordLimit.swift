/// How much of a text from outside stands in a sentence.
package enum WordLimit {
  /// A name or a value.
  package static let value = 100
  /// A sentence of somebody else's.
  package static let sentence = 1000
}
