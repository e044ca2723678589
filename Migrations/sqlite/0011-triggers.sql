-- The triggers of each table as they were made. One that is another later was lost or changed by another program, and what
-- was written meanwhile was not seen; one that was never made is a newer version's.
CREATE TABLE zumod_triggers (
    table_name TEXT COLLATE NOCASE NOT NULL,
    name TEXT NOT NULL,
    statement TEXT NOT NULL,
    PRIMARY KEY (table_name, name)
) WITHOUT ROWID;

-- Tables whose triggers were found lost and made anew, until an operator has seen to it and removes the row.
CREATE TABLE zumod_losses (
    table_name TEXT PRIMARY KEY COLLATE NOCASE NOT NULL,
    -- In milliseconds since 1970.
    found_at INTEGER NOT NULL,
    triggers TEXT NOT NULL
);
