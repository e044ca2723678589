-- Queries that are too long for a link, kept for the pages to come.
CREATE TABLE zumod_queries (
    -- Nobody but the servers of this database can make one.
    reference text COLLATE "C" PRIMARY KEY,
    -- Tells whose allowance it is from, and not who that is.
    asker text COLLATE "C" NOT NULL,
    bytes bigint NOT NULL,
    -- When it may be forgotten, in milliseconds since 1970.
    ends_at bigint NOT NULL,
    query text NOT NULL
);
CREATE INDEX zumod_queries_asker ON zumod_queries (asker, bytes);
CREATE INDEX zumod_queries_ends_at ON zumod_queries (ends_at);
