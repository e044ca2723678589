-- The jobs of scripts: when each was begun last, so that one server of the database runs it.
CREATE TABLE zumod_jobs (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    -- The minute for which it was begun last, since 1970.
    slot bigint NOT NULL,
    -- Until when nobody else begins it, in milliseconds since 1970.
    leased_until bigint NOT NULL
);
