-- How many columns clients have added to the table.
ALTER TABLE zumod_tables ADD COLUMN client_columns INTEGER NOT NULL DEFAULT 0;
