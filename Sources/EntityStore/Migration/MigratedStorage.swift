/// A storage whose tables record the names of migrations.
package protocol MigratedStorage: Storage {
  /// The migrations with which the storage was opened, all of which its tables record.
  var recordedMigrations: [Migration] { get }
}
