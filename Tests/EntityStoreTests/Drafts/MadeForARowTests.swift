import EntityStore
import Fixtures
import TestSupport
import Testing

/// What is made for a row lives as long as the row, also in an optimised program.
@Suite struct MadeForARowTests {
  @Test(arguments: BlobWriting.allCases, TestStorage.withServer)
  func `S1: an array that is made in the call is stored, whichever call it is`(
    _ way: BlobWriting, _ storage: TestStorage
  ) throws {
    let store = try storage.makeStore(Blob.self)
    try way.write(0..<20, to: store)
    let blobs = try store.fetch(Query<Blob>())
    #expect(blobs.count == 20)
    for blob in blobs { #expect(blob.bytes == BlobWriting.bytes(blob.id)) }
  }
}
