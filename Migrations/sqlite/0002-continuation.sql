-- Secrets of this database that no configuration needs to know, such as the seal on the continuations of lists.
CREATE TABLE zumod_secrets (
    name TEXT PRIMARY KEY NOT NULL,
    hexadecimal TEXT NOT NULL
);
