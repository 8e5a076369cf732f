/// An error that means that the index doesn't match the storage, and has to be made again.
struct IndexOutOfStep: Error {}
