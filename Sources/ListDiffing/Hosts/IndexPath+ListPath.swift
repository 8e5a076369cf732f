#if canImport(UIKit) && !os(watchOS)
public import UIKit
#elseif canImport(AppKit) && !targetEnvironment(macCatalyst)
public import AppKit
#endif

#if (canImport(UIKit) && !os(watchOS)) || (canImport(AppKit) && !targetEnvironment(macCatalyst))

extension IndexPath {
  /// Creates the index path that views use for a row.
  public init(_ path: ListPath) {
    self.init(item: path.row, section: path.section)
  }
}

extension ListPath {
  /// Creates the path of the row that a view asks for.
  ///
  ///     let car = sections[ListPath(indexPath)]
  public init(_ indexPath: IndexPath) {
    self.init(section: indexPath.section, row: indexPath.item)
  }
}

#endif
