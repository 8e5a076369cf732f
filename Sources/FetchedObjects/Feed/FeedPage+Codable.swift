internal import EntityStore
internal import ListDiffing

private enum PageKey: String, CodingKey {
  case cursor, kind, after, changes, sections, rows
}

private enum PageKind: String, Codable {
  case unchanged, changes, reset
}

private enum PartKey: String, CodingKey {
  case position, path, identity, type, title, hash, content, rows
}

/// The type of an identity that would otherwise be read as another type.
private enum IdentityType: String, Codable {
  case real
}

extension FeedPage: Encodable where Content: Encodable {
  /// Writes the page: `cursor`, `kind`, and the values that belong to the kind.
  ///
  /// - Throws: The error of the encoder or of the content.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PageKey.self)
    try container.encode(cursor, forKey: .cursor)
    switch news {
    case .unchanged: try container.encode(PageKind.unchanged, forKey: .kind)
    case .changes(let changes):
      try container.encode(PageKind.changes, forKey: .kind)
      try container.encode(changes.after, forKey: .after)
      try container.encode(changes.list, forKey: .changes)
      try container.encode(changes.sections, forKey: .sections)
      try container.encode(changes.rows, forKey: .rows)
    case .reset(let sections):
      try container.encode(PageKind.reset, forKey: .kind)
      try container.encode(sections.map(WholeSection.init), forKey: .sections)
    }
  }
}

extension FeedPage: Decodable where Content: Decodable {
  /// Reads a page.
  ///
  /// Its changes are checked when they are applied to a list.
  ///
  /// - Throws: `DecodingError` if there is no page, or the error of the content.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PageKey.self)
    let cursor = try container.decode(FeedCursor.self, forKey: .cursor)
    switch try container.decode(PageKind.self, forKey: .kind) {
    case .unchanged: self.init(cursor: cursor, news: .unchanged)
    case .changes:
      let changes = Changes(
        after: try container.decode(FeedCursor.self, forKey: .after),
        list: try container.decode(ListChanges.self, forKey: .changes),
        sections: try container.decode([PlacedSection].self, forKey: .sections),
        rows: try container.decode([PlacedRow].self, forKey: .rows))
      self.init(cursor: cursor, news: .changes(changes))
    case .reset:
      let sections = try container.decode([WholeSection<Content>].self, forKey: .sections)
      self.init(cursor: cursor, news: .reset(sections.map(\.section)))
    }
  }
}

/// A section with its rows, in one object.
private struct WholeSection<Content: Sendable> {
  let section: ListSection<FeedSection, FeedPage<Content>.Row>
}

extension WholeSection: Encodable where Content: Encodable {
  func encode(to encoder: any Encoder) throws {
    try section.header.encode(to: encoder)
    var container = encoder.container(keyedBy: PartKey.self)
    try container.encode(section.rows, forKey: .rows)
  }
}

extension WholeSection: Decodable where Content: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PartKey.self)
    section = ListSection(
      header: try FeedSection(from: decoder),
      rows: try container.decode([FeedPage<Content>.Row].self, forKey: .rows))
  }
}

extension FeedPage.PlacedSection: Codable {
  /// Writes the position and the section in one object.
  ///
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PartKey.self)
    try container.encode(position, forKey: .position)
    try section.encode(to: encoder)
  }

  /// Reads the position and the section.
  ///
  /// - Throws: `DecodingError` if they can't be read.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PartKey.self)
    self.init(
      position: try container.decode(Int.self, forKey: .position),
      section: try FeedSection(from: decoder))
  }
}

extension FeedPage.PlacedRow: Encodable where Content: Encodable {
  /// Writes the path and the row in one object.
  ///
  /// - Throws: The error of the encoder or of the content.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PartKey.self)
    try container.encode(path, forKey: .path)
    try row.encode(to: encoder)
  }
}

extension FeedPage.PlacedRow: Decodable where Content: Decodable {
  /// Reads the path and the row.
  ///
  /// - Throws: `DecodingError` if they can't be read, or the error of the content.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PartKey.self)
    self.init(
      path: try container.decode(ListPath.self, forKey: .path),
      row: try FeedPage.Row(from: decoder))
  }
}

extension FeedPage.Row: Encodable where Content: Encodable {
  /// Writes the hash and the content.
  ///
  /// - Throws: The error of the encoder or of the content.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PartKey.self)
    try container.encode(hash.hexadecimal, forKey: .hash)
    try container.encode(content, forKey: .content)
  }
}

extension FeedPage.Row: Decodable where Content: Decodable {
  /// Reads the hash and the content.
  ///
  /// - Throws: `DecodingError` if they can't be read, or the error of the content.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PartKey.self)
    self.init(
      content: try container.decode(Content.self, forKey: .content),
      hash: try container.decodeHash())
  }
}

extension FeedSection: Codable {
  /// Writes the identity, the title and the hash.
  ///
  /// If the identity is a number of a type with a fraction and has no fraction, it also writes the
  /// type.
  ///
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PartKey.self)
    try container.encode(FeedValue(identity), forKey: .identity)
    if identity.looksWhole { try container.encode(IdentityType.real, forKey: .type) }
    try container.encode(title, forKey: .title)
    try container.encode(hash.hexadecimal, forKey: .hash)
  }

  /// Reads the identity, the title and the hash.
  ///
  /// - Throws: `DecodingError` if they can't be read.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: PartKey.self)
    let identity = try container.decode(FeedValue.self, forKey: .identity).stored
    let type = try container.decodeIfPresent(IdentityType.self, forKey: .type)
    self.init(
      identity: type == .real ? identity.asReal : identity,
      title: try container.decode(String.self, forKey: .title), hash: try container.decodeHash())
  }
}

extension KeyedDecodingContainer<PartKey> {
  fileprivate func decodeHash() throws -> UInt64 {
    let text = try decode(String.self, forKey: .hash)
    guard let hash = UInt64(hexadecimal: text[...].utf8) else {
      throw DecodingError.dataCorruptedError(
        forKey: .hash, in: self,
        debugDescription:
          "\(StoredValue.text(text).brief) is no hash; it has 16 hexadecimal digits")
    }
    return hash
  }
}
