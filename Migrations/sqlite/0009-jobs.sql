-- The jobs of scripts: when each was begun last, so that one server of the database runs it.
CREATE TABLE zumod_jobs (
    name TEXT NOT NULL PRIMARY KEY,
    -- The minute for which it was begun last, since 1970.
    slot INTEGER NOT NULL,
    -- Until when nobody else begins it, in milliseconds since 1970.
    leased_until INTEGER NOT NULL
) WITHOUT ROWID;
