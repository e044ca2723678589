-- The users of the server's own login.
CREATE TABLE zumod_users (
    name TEXT PRIMARY KEY NOT NULL,
    -- A salted scrypt hash, from which no password can be had.
    password TEXT NOT NULL,
    -- Milliseconds since 1970.
    created_at INTEGER NOT NULL
);
