/// An identifier whose value is its bytes, so that a difference may hash the bytes.
///
///     struct CarID: Hashable, BitwiseIdentifier { let number: Int64 }
///
/// Conform a type if two values of it are equal exactly where all their bytes are. That is so of a struct of
/// whole numbers without gaps between them. It isn't of text, optionals, enums with values, floating-point numbers
/// (0 and -0 are equal) or references.
///
/// Whole numbers conform, and `UUID` where `FoundationSupport` is imported. Nothing is required. A difference still
/// compares identifiers with `==` before it takes them for the same.
public protocol BitwiseIdentifier: Hashable {}

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
