internal import EntityStore
package import FetchedObjects
package import Fixtures
package import ListDiffing

/// A row as a plain value: what a consumer would keep of it.
package struct PlainRow: Hashable, Sendable {
  package var id: Int
  package var model: String
  package var year: Int
  package var owner: Int?
  package var ownerName: String?

  package init(id: Int, model: String, year: Int, owner: Int? = nil, ownerName: String? = nil) {
    self.id = id
    self.model = model
    self.year = year
    self.owner = owner
    self.ownerName = ownerName
  }
}

package typealias PlainList = [ListSection<String, PlainRow>]

/// A snapshot as a plain list.
package func plain(_ snapshot: ListSnapshot<EntityView<Car>>, includesOwner: Bool) -> PlainList {
  snapshot.sections.map { section in
    ListSection(header: section.name, rows: section.map { plain($0, includesOwner: includesOwner) })
  }
}

package func plain(_ car: EntityView<Car>, includesOwner: Bool) -> PlainRow {
  PlainRow(
    id: car.value.id, model: car.value.model, year: car.value.year, owner: car.value.owner?.id,
    ownerName: includesOwner ? car.owner?.name : nil)
}
