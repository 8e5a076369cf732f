extension AnyKeyPath {
  /// The property as code names it, or its type where the key path doesn't know the name.
  var readableName: String {
    let name = "\(self)"
    return name.contains("<computed") ? "a computed \(Self.valueType) of \(Self.rootType)" : name
  }
}
