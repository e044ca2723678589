-- Tokens of a login up to then are ended, in milliseconds since 1970. Those of users who are here now go on.
ALTER TABLE zumod_users ADD COLUMN tokens_ended_at INTEGER NOT NULL DEFAULT 0;

-- The codes that apps have exchanged for a token, as each is good once.
CREATE TABLE zumod_codes (
    code TEXT PRIMARY KEY NOT NULL,
    -- Tells an exchange that was tried again from another one.
    taker TEXT NOT NULL,
    -- When the code is good no longer, in milliseconds since 1970.
    ends_at INTEGER NOT NULL
);
CREATE INDEX zumod_codes_ends_at ON zumod_codes (ends_at);
