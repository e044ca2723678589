-- What zumod keeps beside the tables themselves.

-- The last number given of each counter; 'version' numbers every write of every table.
CREATE TABLE zumod_counters (
    name TEXT PRIMARY KEY NOT NULL,
    value INTEGER NOT NULL
);
INSERT INTO zumod_counters (name, value) VALUES ('version', 0);

-- Each table that zumod made, with its last updatedAt in milliseconds since 1970, and who asked for it.
CREATE TABLE zumod_tables (
    name TEXT PRIMARY KEY COLLATE NOCASE NOT NULL,
    last_stamp INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('configuration', 'client')),
    soft_delete INTEGER NOT NULL DEFAULT 0
);
