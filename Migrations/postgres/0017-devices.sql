-- What installations of apps were last seen to do with the tables: a row for each installation and table.
CREATE TABLE zumod_devices (
    installation text COLLATE "C" NOT NULL,
    table_name text COLLATE "C" NOT NULL,
    -- Times are milliseconds since 1970.
    seen_at bigint NOT NULL,
    pulled_at bigint,
    -- The greatest updatedAt that a pull has come to.
    reached bigint,
    -- How many rows the last pull brought.
    pulled_rows bigint,
    pushed_at bigint,
    conflicts bigint NOT NULL DEFAULT 0,
    sdk text COLLATE "C",
    generation text COLLATE "C" NOT NULL,
    user_id text COLLATE "C",
    PRIMARY KEY (installation, table_name)
);
CREATE INDEX zumod_devices_seen_at ON zumod_devices (seen_at, installation, table_name);

-- Whether a user of the server's own login looks after the server.
ALTER TABLE zumod_users ADD COLUMN is_admin boolean NOT NULL DEFAULT false;
