/// An identifier that is defined by its bytes, so that a difference can hash the bytes.
///
///     struct CarID: Hashable, BitwiseIdentifier { let number: Int64 }
///
/// Conform a type if two of its values are equal exactly if all their bytes are equal. That holds
/// for a struct of integers without padding. It doesn't hold for text, optionals, enums with
/// associated values, floating-point numbers (0 and -0 are equal) or references.
///
/// Integers conform. `UUID` conforms if `FoundationSupport` is imported. The protocol has no
/// requirements. A difference still compares identifiers with `==` before it treats them as equal.
@usableFromInline package protocol BitwiseIdentifier: Hashable {}

extension Int: BitwiseIdentifier {}
extension Int8: BitwiseIdentifier {}
extension Int16: BitwiseIdentifier {}
extension Int32: BitwiseIdentifier {}
extension Int64: BitwiseIdentifier {}
extension UInt: BitwiseIdentifier {}
extension UInt8: BitwiseIdentifier {}
extension UInt16: BitwiseIdentifier {}
extension UInt32: BitwiseIdentifier {}
extension UInt64: BitwiseIdentifier {}
