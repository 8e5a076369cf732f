/// A mistake in what the user wrote, as a sentence that says what to do.
package struct InputError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
