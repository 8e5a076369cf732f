public import EntityStore

/// Why a line can't be imported.
public struct JSONLinesError: Error, Hashable, Sendable {
  /// What is wrong with a line.
  public enum Problem: Hashable, Sendable {
    /// It is no JSON.
    case syntax(String)
    /// It is JSON, and neither a header nor an object of this format.
    case malformed(String)
    /// The first line is no header of this format.
    case noHeader
    /// The header is of a later version of the format.
    case newerFormat(Int64)
    /// The store wasn't opened with the entity.
    case unknownEntity(String)
    /// The name may be that of several entities of today, of which the file has none under its own name.
    case ambiguousEntity(String, candidates: [String])
    /// The entity has no such attribute, and its schema doesn't say what became of one.
    case unknownAttribute(String, entity: String)
    /// The object has no value for an attribute without a default.
    case missingAttribute(String, entity: String)
    /// A value is not of its attribute's type.
    case wrongValue(attribute: String, entity: String, expected: String, found: String)
    /// There are fewer or more objects of an entity than the header says.
    case wrongCount(entity: String, expected: Int64, found: Int64)
    /// The store refuses the object.
    case refused(StoreError)
  }

  /// The number of the line, from 1.
  public let line: Int
  /// What is wrong with it.
  public let problem: Problem

  init(_ line: Int, _ problem: Problem) {
    self.line = line
    self.problem = problem
  }
}

extension JSONLinesError: CustomStringConvertible {
  /// A sentence that names the line, what is wrong with it and what to do.
  public var description: String { "Line \(line): \(sentence)" }

  private var sentence: String {
    switch problem {
    case .syntax(let what): "this is no JSON: \(what); correct the line, or get the file again"
    case .malformed(let what): "\(what); correct the line"
    case .noHeader:
      "the file must begin with a header like \(JSONLinesFormat.sampleHeader)"
    case .newerFormat(let version):
      "the format has version \(version), and this library reads \(JSONLinesFormat.version); update "
        + "the app"
    case .unknownEntity(let name):
      "\(name) is not among the entities of this store; list it in Store(_:entities:), say in a schema "
        + "that it was .renamedFrom(\"\(name)\"), or take its lines and its part of the header out"
    case .ambiguousEntity(let name, let candidates):
      "\(name) may be \(candidates.joined(separator: " or ")); list the others in the header with a count "
        + "of 0, or rename it in the file"
    case .unknownAttribute(let name, let entity):
      "\(entity) has no attribute \"\(name)\"; correct the name, or say in the schema what became of it: "
        + "renamedFrom: \"\(name)\" or .dropped(\"\(name)\")"
    case .missingAttribute(let name, let entity):
      "\(entity) needs a value for \"\(name)\", which has no default; add one to the line, or give the "
        + "attribute a default"
    case .wrongValue(let attribute, let entity, let expected, let found):
      "\"\(attribute)\" of \(entity) must be \(expected), and is \(found); correct the line"
    case .wrongCount(let entity, let expected, let found):
      "the header says \(expected) objects of \(entity), and there are \(found); the file isn't whole, so get "
        + "it again, or correct the header"
    case .refused(let error): error.description
    }
  }
}
