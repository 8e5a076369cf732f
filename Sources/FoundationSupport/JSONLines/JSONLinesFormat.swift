internal import EntityStore

/// The words of the format.
///
/// Text of UTF-8, one JSON object a line, without spaces:
///
///     {"format":"signalbox-objects","version":1,"entities":[{"name":"Car","count":1}]}
///     {"entity":"Car","values":{"id":7,"model":"Beetle","owner":"ann","seat":{"train":3,"number":7}}}
///
/// Entities come in the order of their names, objects in that of their ids, both by bytes, attributes in
/// that of the schema. What is nil is `null`. A whole number is a number (also `true` and `false` are
/// read, as 1 and 0), a number with a fraction is the shortest one that gives it back, or "Infinity" or
/// "-Infinity", text is text, bytes are base64, a composite id has its parts by name, a reference is
/// the id of what it refers to.
enum JSONLinesFormat {
  static let name = "signalbox-objects"
  static let version: Int64 = 1
  static let sampleHeader =
    #"{"format":"signalbox-objects","version":1,"entities":[{"name":"Car","count":1}]}"#

  static let infinity = "Infinity"
  static let negativeInfinity = "-Infinity"
}

extension Column {
  /// The parts of a composite id under the names that it gives them, also for a reference to it.
  var partsOfID: [Part] {
    guard type == .list, let target = reference?.target else { return parts }
    return target.columns[target.identity].parts
  }
}
