/// The types of exports and imports, whose files have one object in a line.
///
///     let result: JSONLines.Result = try store.importJSONLines(from: url, existing: .skip)
///
/// `Store.exportJSONLines(to:)` writes such a file, and `Store.importJSONLines(from:)` reads it.
public enum JSONLines {}
