-- The latest time that a server believed its clock, in milliseconds since 1970: one that is far ahead of it may be wrong. One row.
CREATE TABLE zumod_clock (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    believed bigint NOT NULL
);
