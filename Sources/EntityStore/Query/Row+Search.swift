internal import Locking

extension Row {
  /// Returns the condition that a pattern matches the words of the object's indexed texts.
  ///
  ///     query.filter { $0.matches("tea NOT milk") }
  ///     query.filter { $0.matches(SearchPattern(words: searchField.text)) }
  ///
  /// One word of the pattern may occur in one text, and another word in another text. A phrase
  /// occurs within one text. If a step through a reference is nil, there are no texts.
  ///
  /// - Precondition: the schema has a rule ``Rule/fullText(_:)``.
  public func matches(_ pattern: SearchPattern) -> Condition<Root> {
    let entity = Target.schema.entity
    mustHold(
      !entity.fullText.isEmpty,
      "\(entity.name) is searched for words, and its schema has no index of them; add the rule .fullText"
    )
    return Condition(
      .matches(
        SearchPath(root: Root.schema.entity, steps: steps, columns: entity.fullText), pattern))
  }
}

extension Row where Target == Root {
  /// Returns the order by relevance to a pattern, with the most relevant objects first.
  ///
  ///     Query<Note>().matching(pattern).sorted { [$0.rank(of: pattern)] }
  ///
  /// The relevance is BM25, as FTS5 computes it: a word counts more if few objects have it, if the
  /// object has it often, and if its texts are short. It depends on all objects. So with each
  /// commit that changes objects of the entity, a model with such an order reads its result again.
  /// Only `sorted` can order by relevance. It is a mistake to order sections or the values of
  /// related objects by it.
  ///
  /// - Precondition: the schema has a rule ``Rule/fullText(_:)``.
  public func rank(of pattern: SearchPattern) -> Ordering<Root> {
    let entity = Root.schema.entity
    mustHold(
      !entity.fullText.isEmpty,
      "\(entity.name) is ordered by words, and its schema has no index of them; add the rule .fullText"
    )
    let path = SearchPath(root: entity, steps: [], columns: entity.fullText)
    return Ordering(key: SortKey(.rank(path, pattern), isAscending: false))
  }
}

extension Field where Value == String {
  /// Returns the condition that a pattern matches the words of the text.
  ///
  /// It is false for nil, unless the pattern has no words.
  ///
  ///     query.filter { $0.title.matches("tea") && $0.matches("gard*") }
  ///
  /// - Precondition: it is an attribute, and the schema names it in a rule ``Rule/fullText(_:)``.
  public func matches(_ pattern: SearchPattern) -> Condition<Root> {
    guard case .attribute(let path) = expression, path.target.fullText.contains(path.column) else {
      mistake(
        "\(expression) is searched for words, and no index has them; name the attribute in a rule .fullText of its schema"
      )
    }
    return Condition(
      .matches(SearchPath(root: path.root, steps: path.steps, columns: [path.column]), pattern))
  }
}

extension Query {
  /// Returns the query for the objects whose indexed texts a pattern also matches.
  ///
  ///     Query<Note>().matching("tea gard*")
  ///     Query<Note>().matching(SearchPattern(words: searchField.text))
  ///
  /// - Precondition: the schema has a rule ``Rule/fullText(_:)``.
  public func matching(_ pattern: SearchPattern) -> Query { filter { $0.matches(pattern) } }
}
