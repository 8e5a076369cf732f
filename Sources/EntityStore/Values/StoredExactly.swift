/// A type whose values are never stored as nil, and are read back with the same stored form.
///
/// Every storable type should be like this. These types are known to be, so their values aren't
/// checked when a commit ends. (A number that another program has written is still rounded if it is
/// read as a `Float`.)
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
