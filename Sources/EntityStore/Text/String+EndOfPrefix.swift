extension String {
  /// The least text that comes after all texts that begin with this one, or nil if all others do.
  ///
  /// In UTF-8, the order of bytes is that of scalars. So the last scalar that isn't the greatest
  /// one is raised. A file may have texts that aren't UTF-8. Those that begin with these bytes come
  /// before it, too.
  package var endOfPrefix: String? {
    var scalars = unicodeScalars
    while let last = scalars.popLast() {
      // Between these two are the surrogates, which no text has.
      let next: UInt32 = last.value == 0xD7FF ? 0xE000 : last.value + 1
      if let raised = Unicode.Scalar(next) {
        scalars.append(raised)
        return String(scalars)
      }
    }
    return nil
  }
}
