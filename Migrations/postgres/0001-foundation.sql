-- What zumod keeps beside the tables themselves, in the schema that it finds first on its search path.

-- Numbers every write of every table.
CREATE SEQUENCE zumod_version;

-- Each table that zumod made, with its last updatedAt in milliseconds since 1970, and who asked for it.
-- Whoever writes to a table locks its row here until the commit, so that stamps become visible in their order.
CREATE TABLE zumod_tables (
    name text COLLATE "C" PRIMARY KEY,
    -- The name in the database, which differs where the table's own is longer than PostgreSQL allows.
    relation text COLLATE "C" NOT NULL,
    last_stamp bigint NOT NULL DEFAULT 0,
    origin text NOT NULL CHECK (origin IN ('configuration', 'client')),
    soft_delete boolean NOT NULL DEFAULT false
) WITH (fillfactor = 20);
CREATE UNIQUE INDEX zumod_tables_folded_name ON zumod_tables (lower(name));

-- One row: a number that grows with every new table and column, by which servers notice each other's.
CREATE TABLE zumod_schema (epoch bigint NOT NULL);
INSERT INTO zumod_schema (epoch) VALUES (1);

-- The last transaction of each writing thread of each server: by it a writer whose connection broke learns whether its
-- commit was done. PostgreSQL's own transaction numbers don't tell after a crash, which lets them be given again.
CREATE TABLE zumod_writers (
    id text COLLATE "C" PRIMARY KEY,
    last_transaction bigint NOT NULL,
    written_at timestamp with time zone NOT NULL DEFAULT now()
) WITH (fillfactor = 20);

-- Runs before statements of other programs: they wait for their turn as zumod's own writers do.
CREATE FUNCTION zumod_take_turn() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM 1 FROM zumod_tables WHERE name = TG_ARGV[0] FOR UPDATE;
    RETURN NULL;
END
$$;

-- Runs before each row that another program writes: gives it the next version and the table's next stamp.
CREATE FUNCTION zumod_renew() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    stamp bigint;
    numbers text;
BEGIN
    UPDATE zumod_tables
    SET last_stamp = greatest(last_stamp + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    WHERE name = TG_ARGV[0]
    RETURNING last_stamp INTO stamp;
    NEW."version" := nextval('zumod_version');
    NEW."updatedAt" := timestamptz 'epoch' + stamp * interval '1 millisecond';
    IF TG_OP = 'INSERT' THEN
        NEW."createdAt" := coalesce(NEW."createdAt", NEW."updatedAt");
        numbers := pg_get_serial_sequence(format('%I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME), 'id');
        IF numbers IS NOT NULL THEN
            -- An id that was given by hand is not given again.
            EXECUTE format('SELECT setval(%L, $1) FROM %s WHERE last_value < $1', numbers, numbers) USING NEW."id";
        END IF;
    END IF;
    RETURN NEW;
END
$$;
