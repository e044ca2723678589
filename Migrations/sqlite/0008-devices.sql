-- What installations of apps were last seen to do with the tables: a row for each installation and table.
CREATE TABLE zumod_devices (
    installation TEXT NOT NULL,
    table_name TEXT NOT NULL,
    -- Times are milliseconds since 1970.
    seen_at INTEGER NOT NULL,
    pulled_at INTEGER,
    -- The greatest updatedAt that a pull has come to.
    reached INTEGER,
    -- How many rows the last pull brought.
    pulled_rows INTEGER,
    pushed_at INTEGER,
    conflicts INTEGER NOT NULL DEFAULT 0,
    sdk TEXT,
    generation TEXT NOT NULL,
    user_id TEXT,
    PRIMARY KEY (installation, table_name)
) WITHOUT ROWID;
CREATE INDEX zumod_devices_seen_at ON zumod_devices (seen_at, installation, table_name);

-- Whether a user of the server's own login looks after the server.
ALTER TABLE zumod_users ADD COLUMN is_admin INTEGER NOT NULL DEFAULT 0;
