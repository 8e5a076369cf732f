package import EntityStore
package import Fixtures

package struct League: Entity {
  package let id: Int
  package var name: String

  package init(id: Int, name: String) {
    self.id = id
    self.name = name
  }
  package static let attributes = Attributes(.id(\League.id), .attribute("name", \.name))
  package static let schema = Schema(attributes, League.init)
}

package struct Team: Entity {
  package let id: Int
  package var name: String
  package var league: Ref<League>?

  package init(id: Int, name: String, league: Ref<League>?) {
    self.id = id
    self.name = name
    self.league = league
  }
  package static let attributes = Attributes(
    .id(\Team.id), .attribute("name", \.name), .one("league", \.league, inverse: \.teams))
  package static let schema = Schema(attributes, Team.init)
}

package struct Player: Entity {
  package let id: Int
  package var name: String
  package var score: Int?
  package var rating: Double?
  package var team: Ref<Team>?

  package init(id: Int, name: String, score: Int?, rating: Double?, team: Ref<Team>?) {
    self.id = id
    self.name = name
    self.score = score
    self.rating = rating
    self.team = team
  }
  package static let attributes = Attributes(
    .id(\Player.id), .attribute("name", \.name), .attribute("score", \.score),
    .attribute("rating", \.rating), .one("team", \.team, inverse: \.players))
  package static let schema = Schema(attributes, Player.init)
}

extension League {
  package var teams: Many<League, Team> { Many(\.league) }
}

extension Team {
  package var players: Many<Team, Player> { Many(\.team) }
}

extension TestStorage {
  /// A store of players in teams in leagues.
  package func makeLeague() throws -> Store { try makeStore(League.self, Team.self, Player.self) }
}
