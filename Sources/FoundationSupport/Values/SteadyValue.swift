internal import Foundation

/// A value that is encoded by a `SteadyEncoder`.
struct SteadyValue<Value: Encodable>: Encodable {
  let value: Value

  func encode(to encoder: any Encoder) throws {
    let steady = encoder as? SteadyEncoder ?? SteadyEncoder(base: encoder)
    if let unordered = value as? any UnorderedEncodable {
      try unordered.encodeInOrder(to: steady)
    } else {
      try value.encode(to: steady)
    }
  }
}
