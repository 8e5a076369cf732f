#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The SQL of the triggers that log what other tools write.
///
/// Stores log their writes themselves. Their connections say so, and no trigger runs for them. A
/// trigger runs when a tool's transaction ends, and takes the writers' lock then. So a tool gets
/// one version for a transaction, in the order of all commits. Each object is written as it was, in
/// the form of a copy: the number of bytes of each column, and its bytes.
struct ServerTriggers {
  let place: ServerPlace

  init(_ place: ServerPlace) { self.place = place }

  private var schema: String { SQL.quoted(place.schema) }

  /// The settings of functions that write to the store's tables for any role.
  private static let settings =
    "LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp"

  /// The table of logged rows, the first row of the log, and the functions that all entities share.
  ///
  /// A schema that has them already gets today's functions.
  var shared: String {
    let setting = "signalbox.version_\(ServerTable.sum(of: place.schema))"
    let (log, rows) = ("\(schema).signalbox_log", "\(schema).signalbox_tool_rows")
    let oldest = "found - \(ServerLog.mostVersions)"
    return """
      CREATE TABLE IF NOT EXISTS \(schema).signalbox_tool_rows
        (place bigint GENERATED ALWAYS AS IDENTITY, version bigint NOT NULL,
         entity text COLLATE "C" NOT NULL, signature bigint NOT NULL, was_absent boolean NOT NULL,
         content bytea NOT NULL, PRIMARY KEY (version, place));
      -- The version before all commits. A tool locks the row of the last one.
      INSERT INTO \(schema).signalbox_log (version, token)
        SELECT 0, 0 WHERE NOT EXISTS (SELECT FROM \(schema).signalbox_log);
      CREATE OR REPLACE FUNCTION \(schema).signalbox_tool_version() RETURNS bigint \(Self.settings) AS $signalbox$
      DECLARE
        -- It is forgotten when the transaction ends.
        found bigint := nullif(current_setting('\(setting)', TRUE), '')::bigint;
        written timestamptz;
      BEGIN
        IF found IS NULL THEN
          PERFORM pg_advisory_xact_lock(\(ServerLayout.lockKeys(place)));
          -- A transaction with an old snapshot may see a row that was trimmed since, and the next
          -- number is free again. The server refuses the lock of such a row.
          SELECT newest.version, newest.at INTO found, written FROM \(log) AS newest
            ORDER BY newest.version DESC LIMIT 1 FOR KEY SHARE;
          found := coalesce(found, 0) + 1;
          INSERT INTO \(schema).signalbox_log (version, token) VALUES (found,
            ('x' || left(replace(gen_random_uuid()::text, '-', ''), 16))::bit(64)::bigint);
          PERFORM set_config('\(setting)', found::text, TRUE);
          PERFORM pg_notify('\(Self.channel(place))', '');
          -- Perhaps no store writes.
          IF found % 256 = 0 THEN
            \(ServerLog.deleting(through: oldest, of: log));
            \(ServerLog.deleting(through: oldest, of: rows));
          END IF;
          -- This looks at many rows, so it is done at most once a minute or in 256 versions.
          IF found % 256 = 0 OR date_trunc('minute', written)
            IS DISTINCT FROM date_trunc('minute', clock_timestamp())
          THEN
            \(ServerLog.emptyingUnread(of: log));
            \(ServerLog.deletingUnread(of: rows));
          END IF;
        END IF;
        RETURN found;
      END $signalbox$;
      CREATE OR REPLACE FUNCTION \(schema).signalbox_note_all() RETURNS trigger \(Self.settings) AS $signalbox$
      DECLARE
        -- The update doesn't see a row that is made while it runs.
        tools bigint := \(schema).signalbox_tool_version();
      BEGIN
        -- TRUNCATE empties the table for old snapshots, too. So it waits for the reads that have
        -- begun, as a migration does.
        IF TG_OP = 'TRUNCATE' THEN
          LOCK TABLE \(schema).signalbox_metadata IN ACCESS EXCLUSIVE MODE;
        END IF;
        -- The first byte of a row without content: stores read their results again. A row that
        -- each statement of a long transaction wrote again would be slower and slower to find.
        UPDATE \(schema).signalbox_log SET changes = \(ServerLog.emptied)
          WHERE version = tools AND changes IS NULL;
        RETURN NULL;
      END $signalbox$;
      REVOKE ALL ON FUNCTION \(schema).signalbox_tool_version() FROM PUBLIC;
      REVOKE ALL ON FUNCTION \(schema).signalbox_note_all() FROM PUBLIC
      """
  }

  /// The channel on which a schema's stores are notified.
  static func channel(_ place: ServerPlace) -> String {
    "signalbox_\(ServerTable.sum(of: place.schema))"
  }

  /// The function and the triggers of an entity's table.
  func statements(of entity: EntityDescription) -> [String] {
    let layout = ChangeLogLayout(entity)
    let table = "\(schema).\(entity.quotedName)"
    let function = "\(schema).signalbox_note_\(ServerTable.sum(of: entity.name))"
    func content(_ row: String, _ columns: [ChangeLogLayout.Place]) -> String {
      columns.map { Self.encoded("\(row).\(SQL.quoted($0.name))", ServerType($0.type)) }
        .joined(separator: " || ")
    }
    let id = layout.identity.map { layout.places[$0] }
    func names(_ row: String) -> String {
      id.map { "\(row).\(SQL.quoted($0.name))" }.joined(separator: ", ")
    }
    let insert =
      "INSERT INTO \(schema).signalbox_tool_rows (version, entity, signature, was_absent, content) "
      + "VALUES (at, \(SQL.escapedLiteral(entity.name)), \(Int64(bitPattern: layout.signature)), "
    let byTool =
      "WHEN (coalesce(current_setting('signalbox.writer', TRUE), '') NOT IN ('store', 'bulk'))"
    let inBulk = "WHEN (current_setting('signalbox.writer', TRUE) = 'bulk')"
    let all = "FOR EACH STATEMENT"
    return [
      """
      CREATE OR REPLACE FUNCTION \(function)() RETURNS trigger \(Self.settings) AS $signalbox$
      DECLARE
        at bigint := \(schema).signalbox_tool_version();
      BEGIN
        IF TG_OP <> 'INSERT' THEN
          \(insert)FALSE, \(content("OLD", layout.places)));
        END IF;
        IF TG_OP = 'INSERT' THEN
          \(insert)TRUE, \(content("NEW", id)));
        ELSIF TG_OP = 'UPDATE' AND ROW(\(names("OLD"))) IS DISTINCT FROM ROW(\(names("NEW"))) THEN
          \(insert)TRUE, \(content("NEW", id)));
        END IF;
        RETURN NULL;
      END $signalbox$
      """,
      "REVOKE ALL ON FUNCTION \(function)() FROM PUBLIC",
      "DROP TRIGGER IF EXISTS signalbox_note ON \(table)",
      """
      CREATE CONSTRAINT TRIGGER signalbox_note AFTER INSERT OR UPDATE OR DELETE ON \(table)
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW \(byTool) EXECUTE FUNCTION \(function)()
      """,
      """
      CREATE OR REPLACE TRIGGER signalbox_note_bulk AFTER INSERT OR UPDATE OR DELETE ON \(table)
      \(all) \(inBulk) EXECUTE FUNCTION \(schema).signalbox_note_all()
      """,
      """
      CREATE OR REPLACE TRIGGER signalbox_note_truncate AFTER TRUNCATE ON \(table)
      \(all) EXECUTE FUNCTION \(schema).signalbox_note_all()
      """,
    ]
  }

  /// Returns SQL for the number of a value's bytes, and these bytes.
  private static func encoded(_ column: String, _ type: ServerType) -> String {
    let (length, value) =
      switch type {
      case .bigint: ("8", "int8send(\(column))")
      // -0.0 is read as 0.0.
      case .double: ("8", "float8send(\(column) + 0)")
      case .text: ("octet_length(\(column))", "convert_to(\(column), 'UTF8')")
      case .bytea: ("octet_length(\(column))", column)
      }
    return "CASE WHEN \(column) IS NULL THEN E'\\\\xffffffff'::bytea "
      + "ELSE int4send(\(length)) || \(value) END"
  }
}
#endif
