internal import EntityStore

/// What rows of the log say: what each object was before the first of them.
///
/// Rows are added in the order of their versions. Of what several say of one value the first holds.
struct ChangeLogObjects {
  /// What is known of an object.
  struct Object {
    let id: StoredValue
    /// Whether it wasn't there.
    let wasAbsent: Bool
    /// Its values in the order of the layout; nil where no row says it, so that it didn't change.
    var values: [StoredValue?]
    /// Whether its row has been deleted and inserted again, which may give it another number.
    var isRewritten = false
  }

  /// The objects of an entity.
  struct Table {
    let layout: ChangeLogLayout
    fileprivate(set) var objects: [Object] = []
    private var places: [StoredValue: Int] = [:]
    /// How many insertions have begun whose ids aren't said yet.
    private var begun = 0
    /// Whether the last record was that one begins.
    private var hasJustBegun = false

    fileprivate init(_ layout: ChangeLogLayout) { self.layout = layout }

    /// Takes in what a row says of an object.
    mutating func add(_ object: Object) {
      hasJustBegun = false
      guard let place = places[object.id] else {
        places[object.id] = objects.count
        return objects.append(object)
      }
      if object.wasAbsent || object.isRewritten { objects[place].isRewritten = true }
      if objects[place].wasAbsent || object.wasAbsent { return }
      for (index, value) in object.values.enumerated() where objects[place].values[index] == nil {
        objects[place].values[index] = value
      }
    }

    /// Takes in what a trigger says.
    fileprivate mutating func add(_ record: TriggerRowReader.Record) {
      switch record {
      case .before(let object): add(object)
      case .givingID:
        begun += 1
        hasJustBegun = true
      case .after(let object): addInserted(object)
      }
    }

    /// Takes in that an object has been inserted, which others' triggers may have changed since.
    ///
    /// The statement may have said its id; then a row before has said what was there. An insertion whose id SQLite has
    /// given ends where nothing else has been said since it began, or nothing of this object. Otherwise it may have been
    /// said what the object was after it, so it doesn't end, and nothing is certain.
    private mutating func addInserted(_ object: Object) {
      let isFirst = hasJustBegun || places[object.id] == nil
      if isFirst && begun > 0 { begun -= 1 }
      add(object)
    }

    /// Whether it is said which ids SQLite has given.
    ///
    /// It isn't where a row hasn't come, such as with `INSERT OR IGNORE`, and where one has and a trigger of another
    /// program has kept the log's own from running. That may have changed the row, too, or taken it away.
    fileprivate var isCertain: Bool { begun == 0 }
  }

  private(set) var tables: [Table]
  /// By the names of entities, as SQLite compares them.
  private let places: [[UInt8]: Int]

  /// For the entities that a store was opened with.
  init(_ layouts: [ChangeLogLayout]) {
    tables = layouts.map(Table.init)
    places = Dictionary(layouts.enumerated().map { (Self.folded($1.name), $0) }) { first, _ in first
    }
  }

  /// Takes in a row.
  ///
  /// - Returns: false if it can't be read, so that nothing is known.
  mutating func add(row: [UInt8]) -> Bool {
    switch row.first {
    case ChangeLogWriter.form:
      var reader = ChangeLogReader(row)
      return reader.read {
        self.table(named: $0)
      } add: {
        tables[$0].add($1)
      }
    case TriggerRowReader.form:
      var reader = TriggerRowReader(row)
      return reader.read {
        self.table(named: $0)
      } add: {
        tables[$0].add($1)
      }
    default: return false
    }
  }

  /// Whether nothing that was taken in may be wrong.
  var isCertain: Bool { tables.allSatisfy(\.isCertain) }

  private func table(named name: [UInt8]) -> (place: Int, layout: ChangeLogLayout)? {
    places[Self.folded(name)].map { ($0, tables[$0].layout) }
  }

  private static func folded(_ name: [UInt8]) -> [UInt8] {
    name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}
