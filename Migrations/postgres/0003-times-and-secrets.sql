-- The types of columns that hold a day (2026-11-21) or a time of day (10:15:30.123).
CREATE DOMAIN zumod_day AS text COLLATE "C";
CREATE DOMAIN zumod_time AS text COLLATE "C";

-- Secrets of this database that no configuration needs to know, such as the seal on the continuations of lists.
CREATE TABLE zumod_secrets (
    name text PRIMARY KEY,
    hexadecimal text NOT NULL
);

-- 244 random bits, from the server's own strong source.
INSERT INTO zumod_secrets (name, hexadecimal)
VALUES ('continuation', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
