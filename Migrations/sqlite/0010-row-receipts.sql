-- Receipts of writes whose row was left in its table, by the version that the row got: whoever sends such a write again
-- finds the row with this version, or is not answered as before. Since versions only grow, those of many writes are side by
-- side, where a hash of the request as the key gave each a page of its own.
CREATE TABLE zumod_row_receipts (
    version INTEGER PRIMARY KEY,
    -- The first eight bytes of the hash of the request: it only has to tell whether the version is that request's.
    request INTEGER NOT NULL,
    -- In milliseconds since 1970.
    written_at INTEGER NOT NULL
);
