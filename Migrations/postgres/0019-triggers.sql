-- The triggers of each table as they were made. One that is another later was lost or changed by another program, and what
-- was written meanwhile was not seen; one that was never made is a newer version's.
CREATE TABLE zumod_triggers (
    table_name text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    statement text NOT NULL,
    -- What the catalog told of the trigger right after that; of its condition in the words of that version of PostgreSQL.
    state text NOT NULL,
    condition text NOT NULL,
    PRIMARY KEY (table_name, name)
);

-- Tables whose triggers were found lost and made anew, until an operator has seen to it and removes the row.
CREATE TABLE zumod_losses (
    table_name text COLLATE "C" PRIMARY KEY,
    -- In milliseconds since 1970.
    found_at bigint NOT NULL,
    triggers text NOT NULL
);
