-- The stamp, in milliseconds since 1970, up to which tombstones of the table were purged; null where none were.
ALTER TABLE zumod_tables ADD COLUMN purged_through bigint;

-- The highest version when rows were last imported with the stamps that they had in another database: among rows up to
-- it, versions and stamps need not grow together.
ALTER TABLE zumod_tables ADD COLUMN imported_through bigint NOT NULL DEFAULT 0;

-- How far each copy from another server has come.
CREATE TABLE zumod_transfers (
    table_name text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    position text NOT NULL,
    row_count bigint NOT NULL,
    PRIMARY KEY (table_name, source)
);
