import EntityStore
import Fixtures
import TestSupport
import Testing
import WebFeeds

private let car = ObjectID(entityName: "Car", id: .integer(7))

/// Errors, each with the status and the beginning of its answer; no answer has a secret in it.
private let refusals: [(StoreError, Int, String)] = [
  (
    .checkFailed(car, check: "it is new"), 422,
    #"{"error":{"kind":"checkFailed","entity":"Car","id":7,"attribute":"year","message":"It is new."}}"#
  ),
  (
    .missingValue(ObjectID(entityName: "Car", id: .text("\"x\n")), attribute: "model"), 422,
    #"{"error":{"kind":"missingValue","entity":"Car","id":"\"x\n","attribute":"model","message":"A value is missing."}}"#
  ),
  (
    .notFound(car), 404,
    #"{"error":{"kind":"notFound","entity":"Car","id":7,"message":"This isn't there any more."}}"#
  ),
  (
    .notUnique(
      [car, ObjectID(entityName: "Car", id: .integer(8))], attributes: ["model"],
      values: [.text("secret")]), 422,
    #"{"error":{"kind":"notUnique","entity":"Car","attribute":"model","message":"Another one has"#
  ),
  (
    .deleteDenied(
      car, referrer: ObjectID(entityName: "Trip", id: .text("secret")), attribute: "car"), 422,
    #"{"error":{"kind":"deleteDenied","entity":"Car","id":7,"attribute":"year","#
  ),
  (
    .storage(StorageFault(.cannotOpen, "secret", path: "/secret/path")), 503,
    #"{"error":{"kind":"unavailable","message":"The server could not do this; try again later."}}"#
  ),
  (
    .outcomeUnknown(version: 3, fault: StorageFault(.inputOutput, "secret", path: "/secret")), 503,
    #"{"error":{"kind":"outcomeUnknown","message":"#
  ),
  (
    .alreadyExists(car), 409,
    #"{"error":{"kind":"alreadyExists","entity":"Car","id":7,"message":"#
  ),
  (
    .changedSince(car, attribute: "model", expected: .text("secret"), found: .text("secret")), 409,
    #"{"error":{"kind":"changedSince","entity":"Car","id":7,"attribute":"model","#
  ),
  (
    .missingReference(
      car, attribute: "owner", target: ObjectID(entityName: "Person", id: .text("secret"))), 422,
    #"{"error":{"kind":"missingReference","entity":"Car","id":7,"attribute":"owner","#
  ),
  (
    .idChanged(car, to: ObjectID(entityName: "Car", id: .text("secret"))), 422,
    #"{"error":{"kind":"idChanged","entity":"Car","id":7,"attribute":"year","#
  ),
  (
    .notANumber(car, attribute: "price"), 422,
    #"{"error":{"kind":"notANumber","entity":"Car","id":7,"attribute":"price","#
  ),
  (
    .refusedSQL("secret", reason: "secret"), 500, #"{"error":{"kind":"failed","message":"#
  ),
]

private func text(_ answer: WebAnswer) -> String { String(decoding: answer.body, as: UTF8.self) }

@Suite struct CommandTests {
  @Test func `W4: a command is answered with the version that it has made`() throws {
    let store = try TestStorage.memory.makeGarage()
    let first = try store.commitReturningVersion { try $0.insert(ann) }
    #expect(first == 1)
    #expect(text(.committed(version: first)) == #"{"version":1,"txid":1}"#)
    let same = try store.commitReturningVersion {
      try $0.update(Person.self, 1) { $0.name = "Ann" }
    }
    #expect(same == nil)
    #expect(text(.committed(version: same)) == #"{"version":null}"#)
  }

  @Test func `W4: so is a command of a task`() async throws {
    let store = try TestStorage.memory.makeGarage()
    #expect(try await store.commitAsyncReturningVersion { try $0.insert(ann) } == 1)
    #expect(try await store.commitAsyncReturningVersion { _ in } == nil)
  }

  @Test(arguments: refusals) func `W4: a refusal says what is wrong, where, and no secret`(
    _ error: StoreError, _ status: Int, _ start: String
  ) {
    let answer = WebAnswer.refused(error, attribute: "year")
    #expect(answer.status == status)
    #expect(text(answer).hasPrefix(start), "\(text(answer))")
    #expect(!text(answer).contains("secret"))
  }

  @Test func `W4: an error of another kind isn't described`() {
    struct Secret: Error {}
    let answer = WebAnswer.refused(Secret())
    #expect(answer.status == 500)
    #expect(text(answer).hasPrefix(#"{"error":{"kind":"failed","#), "\(text(answer))")
    #expect(!text(answer).contains("Secret"))
  }
}
