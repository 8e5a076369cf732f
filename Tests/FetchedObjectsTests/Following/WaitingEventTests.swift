import EntityStore
import FetchedObjects
import Fixtures
import ListDiffing
import TestSupport
import Testing

@Suite struct WaitingEventTests {
  @Test func `F6: what waits during a pause can be read, and reading it changes nothing`() throws {
    let store = try TestStorage.memory.makeGarage()
    try store.fillGarage()
    let model = try FetchedObjectsModel(Query<Car>().sorted { [$0.id.ascending] }, in: store)
    let events = Recorder(model.didChange)
    let count = model.count
    #expect(model.waitingEvent == nil)
    model.pause()
    for id in 100..<103 {
      try store.commit { try $0.insert(Car(id: id, model: "M", year: 1, owner: nil)) }
      #expect(model.waitingEvent?.changes.inserts.count == id - 99)
      #expect(model.waitingEvent?.after.count == count + id - 99)
      #expect(model.count == count)
    }
    try store.commit { draft in for id in 100..<103 { try draft.delete(Car.self, id) } }
    #expect(model.waitingEvent == nil)
    try store.commit { try $0.insert(Car(id: 9, model: "M", year: 1, owner: nil)) }
    let waiting = model.waitingEvent
    model.resume()
    #expect(events.values.map(\.changes) == [waiting?.changes])
    #expect(model.waitingEvent == nil)
  }
}
