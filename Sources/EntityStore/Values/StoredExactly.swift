/// A type whose values are never stored as nil, and come back with the stored form that they had.
///
/// Every storable type should be one; of these it is known, so nothing is checked when a commit ends.
package protocol StoredExactly {}

extension Int: StoredExactly {}
extension Int8: StoredExactly {}
extension Int16: StoredExactly {}
extension Int32: StoredExactly {}
extension Int64: StoredExactly {}
extension UInt: StoredExactly {}
extension UInt8: StoredExactly {}
extension UInt16: StoredExactly {}
extension UInt32: StoredExactly {}
extension UInt64: StoredExactly {}
extension Bool: StoredExactly {}
extension Float: StoredExactly {}
extension Double: StoredExactly {}
extension String: StoredExactly {}
extension [UInt8]: StoredExactly {}
