-- The stamp, in milliseconds since 1970, up to which tombstones of the table were purged; null where none were.
ALTER TABLE zumod_tables ADD COLUMN purged_through INTEGER;

-- The highest version when rows were last imported with the stamps that they had in another database: among rows up to
-- it, versions and stamps need not grow together.
ALTER TABLE zumod_tables ADD COLUMN imported_through INTEGER NOT NULL DEFAULT 0;

-- How far each copy from another server has come.
CREATE TABLE zumod_transfers (
    table_name TEXT COLLATE NOCASE NOT NULL,
    source TEXT NOT NULL,
    position TEXT NOT NULL,
    row_count INTEGER NOT NULL,
    PRIMARY KEY (table_name, source)
);
