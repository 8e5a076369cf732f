extension AnyKeyPath {
  /// The property's name in code, or its type if the key path doesn't know the name.
  var readableName: String {
    let name = "\(self)"
    return name.contains("<computed") ? "a computed \(Self.valueType) of \(Self.rootType)" : name
  }
}
