internal import CLocking

/// The time of day by the system's clock, which people set.
package enum SystemTime {
  package static var secondsSince1970: Double { sb_seconds_since_1970() }
}
