-- Writes that a client may send again, since it can't know that they were done when their answer got lost: by a hash of
-- the request, when it was done in milliseconds since 1970, the version that the row got (null where it was removed),
-- and in hexadecimal the row that was answered, where it can't be read again.
CREATE TABLE zumod_receipts (
    key TEXT PRIMARY KEY NOT NULL,
    written_at INTEGER NOT NULL,
    version INTEGER,
    record TEXT
) WITHOUT ROWID;
CREATE INDEX zumod_receipts_by_age ON zumod_receipts (written_at);
