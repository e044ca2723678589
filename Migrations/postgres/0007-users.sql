-- The users of the server's own login.
CREATE TABLE zumod_users (
    name text COLLATE "C" PRIMARY KEY,
    -- A salted scrypt hash, from which no password can be had.
    password text NOT NULL,
    -- Milliseconds since 1970.
    created_at bigint NOT NULL
);
