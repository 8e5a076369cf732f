// Part of both checks: the lists they show, and how they compare.

import Foundation
import ListDiffing

/// A row or a header; its content is the version.
struct Element: Diffable, Equatable {
  let id: String
  var version = 0

  var diffIdentifier: String { id }
}

typealias Sections = [ListSection<Element, Element>]

/// Makes sections from words: a header and its rows, where a prime stands for fresh content.
func sections(_ lines: String...) -> Sections {
  lines.map { line in
    let elements = line.split(separator: " ").map { word in
      let id = word.prefix { $0 != "'" }
      return Element(id: String(id), version: word.count - id.count)
    }
    return ListSection(header: elements[0], rows: Array(elements.dropFirst()))
  }
}

/// How to get from one list to another.
func presentation(from old: Sections, to new: Sections) -> ListPresentation {
  ListPresentation(of: SectionedListDiff(from: old, to: new).changes, sectionCount: old.count)
}

/// Ends the process if a claim is false.
func check(_ claim: String, _ isTrue: Bool) {
  guard !isTrue else { return }
  print("Not so: \(claim)")
  exit(1)
}

/// Ends the process if the calls aren't those that were expected.
func checkCalls(_ claim: String, _ calls: [String], _ expected: [String]) {
  guard calls != expected else { return }
  print("Not so: \(claim)", "Expected:", expected, "Found:", calls, separator: "\n")
  exit(1)
}
