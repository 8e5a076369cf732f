/// A type whose values are never stored as nil, and are read back with the same stored form.
///
/// Every storable type should be like this. These types are known to be, so their values aren't
/// checked when a commit ends. (A number that another program has written is still rounded if it is
/// read as a `Float`.)
package protocol StoredExactly {}
