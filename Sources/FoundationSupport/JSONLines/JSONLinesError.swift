public import EntityStore

/// An error about a line that can't be imported.
///
///     do {
///       try store.importJSONLines(from: url)
///     } catch let error as JSONLinesError {
///       print(error.line, error.problem)
///     }
public struct JSONLinesError: Error, Hashable, Sendable {
  /// A problem with a line.
  ///
  ///     if case .unknownEntity(let name) = error.problem { print("\(name) isn't in this store") }
  public enum Problem: Hashable, Sendable {
    /// The line isn't JSON.
    case syntax(String)
    /// The line is JSON, but neither a header nor an object of this format.
    case malformed(String)
    /// The line has more bytes than ``JSONLines/Limits/lineBytes``.
    case lineTooLong(limit: Int)
    /// More objects and lists are nested in each other than ``JSONLines/Limits/depth``.
    case tooDeep(limit: Int)
    /// The line has more values than ``JSONLines/Limits/values``.
    case tooManyValues(limit: Int)
    /// The first line isn't a header of this format.
    case noHeader
    /// The header is of a later version of the format.
    case newerFormat(Int64)
    /// The store wasn't opened with the entity.
    case unknownEntity(String)
    /// The name may belong to several entities of the store; the file has none of them by its own
    /// name.
    case ambiguousEntity(String, candidates: [String])
    /// The entity has no such attribute, and its schema doesn't state what became of one.
    case unknownAttribute(String, entity: String)
    /// The object has no value for an attribute without a default.
    case missingAttribute(String, entity: String)
    /// A value is not of its attribute's type.
    case wrongValue(attribute: String, entity: String, expected: String, found: String)
    /// There are fewer or more objects of an entity than the header states.
    case wrongCount(entity: String, expected: Int64, found: Int64)
    /// The store refuses the object.
    case refused(StoreError)
  }

  /// The number of the line, from 1.
  public let line: Int
  /// The problem with the line.
  public let problem: Problem

  init(_ line: Int, _ problem: Problem) {
    self.line = line
    self.problem = problem
  }
}

extension JSONLinesError: CustomStringConvertible {
  /// A sentence that names the line, its problem and what to do.
  ///
  /// Long names and values are cut, and control characters in them are escaped. So the sentence is
  /// safe in a log.
  public var description: String { "Line \(line): \(sentence)" }

  private var sentence: String {
    switch problem {
    case .syntax(let what):
      "this is no JSON: \(what.harmless(atMost: WordLimit.sentence)); correct the line, or get the file again"
    case .malformed(let what): "\(what.harmless(atMost: WordLimit.sentence)); correct the line"
    case .lineTooLong(let limit):
      "it has more than \(limit) bytes; shorten it, or pass a higher JSONLines.Limits.lineBytes"
    case .tooDeep(let limit):
      "more than \(limit) objects and lists stand one in the other; take some out, or pass a higher "
        + "JSONLines.Limits.depth"
    case .tooManyValues(let limit):
      "it has more than \(limit) values; take some out, or pass a higher JSONLines.Limits.values"
    case .noHeader:
      "the file must begin with a header like \(JSONLinesFormat.sampleHeader)"
    case .newerFormat(let version):
      "the format has version \(version), and this library reads \(JSONLinesFormat.version); update "
        + "the app"
    case .unknownEntity(let name):
      "\(Self.words(name)) is not among the entities of this store; list it in Store(_:entities:), say in a schema "
        + "that it was .renamedFrom(\"\(Self.words(name))\"), or take its lines and its part of the header out"
    case .ambiguousEntity(let name, let candidates):
      "\(Self.words(name)) may be \(candidates.prefix(4).map(Self.words).joined(separator: " or ")); list the others in the header with a count "
        + "of 0, or rename it in the file"
    case .unknownAttribute(let name, let entity):
      "\(Self.words(entity)) has no attribute \"\(Self.words(name))\"; correct the name, or say in the schema what became of it: "
        + "renamedFrom: \"\(Self.words(name))\" or .dropped(\"\(Self.words(name))\")"
    case .missingAttribute(let name, let entity):
      "\(Self.words(entity)) needs a value for \"\(Self.words(name))\", which has no default; add one to the line, or give the "
        + "attribute a default"
    case .wrongValue(let attribute, let entity, let expected, let found):
      "\"\(Self.words(attribute))\" of \(Self.words(entity)) must be \(expected.harmless(atMost: WordLimit.sentence)), and is \(Self.words(found)); correct the line"
    case .wrongCount(let entity, let expected, let found):
      found < expected
        ? "the header counts \(expected) of \(Self.words(entity)), and there are only \(found); the file isn't whole, so get "
          + "it again, or correct the header"
        : "the header counts \(expected) of \(Self.words(entity)), and there are \(found); take out what is too much, or "
          + "correct the header"
    case .refused(.alreadyExists(let object)):
      "\(Self.words("\(object)")) is in the store, or in an earlier line; say with existing: .skip or .replace what becomes of it, "
        + "or take the line out"
    case .refused(.unreadable(let object, let attribute, let found)):
      "\"\(Self.words(attribute))\" of \(Self.words("\(object)")) is \(Self.words("\(found)")), which is no value of its "
        + "type; correct the line"
    case .refused(let error): error.description
    }
  }

  private static func words(_ text: String) -> String { text.harmless(atMost: WordLimit.value) }
}
