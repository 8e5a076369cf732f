import TestSupport

/// Runs `body` for every Unicode scalar, and names the block of 4096 in each issue on the way.
func withEveryScalar(_ body: (Unicode.Scalar) throws -> Void) rethrows {
  try withEvery("block", in: UInt32(0)..<0x110) { block in
    for number in block << 12..<(block + 1) << 12 {
      if let scalar = Unicode.Scalar(number) { try body(scalar) }
    }
  }
}

/// Runs `body` for every scalar that isn't unassigned, private or ideographic, in less time.
func withEveryLetter(_ body: (Unicode.Scalar) throws -> Void) rethrows {
  try withEveryScalar { scalar in
    let properties = scalar.properties
    switch properties.generalCategory {
    case .unassigned, .privateUse: return
    case _ where properties.isUnifiedIdeograph: return
    default: try body(scalar)
    }
  }
}

extension Unicode.Scalar {
  /// How an issue names the scalar.
  var label: String { "U+\(String(value, radix: 16, uppercase: true))" }
}

func bytes(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }
