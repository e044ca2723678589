-- What tells a user apart from those who had the name before; empty where nobody had, so that the id is the name alone.
ALTER TABLE zumod_users ADD COLUMN mark TEXT NOT NULL DEFAULT '';

-- The names of users who were removed, with the mark of the last of them: nobody else is to become that user.
CREATE TABLE zumod_former_users (
    name TEXT PRIMARY KEY NOT NULL,
    mark TEXT NOT NULL
);
