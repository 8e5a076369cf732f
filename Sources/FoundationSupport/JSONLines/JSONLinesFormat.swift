@_spi(Storage) internal import EntityStore

/// The constants of the format.
///
/// The format is UTF-8 text with one JSON object per line, without spaces:
///
///     {"format":"signalbox-objects","version":1,"entities":[{"name":"Car","count":1}]}
///     {"entity":"Car","values":{"id":7,"model":"Fox","owner":"ann","seat":{"train":3,"number":7}}}
///
/// Entities are in the order of their names and objects in the order of their ids, both by bytes.
/// Attributes are in the order of the schema. Nil is `null`. A whole number is a number; `true` and
/// `false` are also read, as 1 and 0. A number with a fraction is the shortest one that gives it
/// back, or "Infinity" or "-Infinity". Text is text, and bytes are base64. A composite id has its
/// parts by name. A reference is the id of the object that it refers to.
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
