-- One program's transaction may edit many rows. It took each stamp by an update of the table's row in zumod_tables, and
-- had to pass over all the versions of that row for the next one. Now it takes them in blocks that double, so that an
-- edit of one row takes one stamp and the time for many grows with their number.

-- Runs before each row that another program writes: gives it the next version and the table's next stamp. What is left
-- of a block is in a setting of the transaction, which goes back with it, and with a savepoint, as the block itself does.
CREATE OR REPLACE FUNCTION zumod_renew() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    setting text := 'zumod.stamps_' || TG_ARGV[0];
    -- The transaction, the next stamp, the last one, and how many were taken in blocks that doubled.
    held text := current_setting(setting, true);
    owner text := pg_current_xact_id()::text;
    now_stamp bigint := floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
    stamp bigint;
    last bigint;
    size bigint := 1;
    taken bigint := 0;
    numbers text;
BEGIN
    IF held ~ ('^' || owner || '( [0-9]{1,15}){3}$') THEN
        stamp := split_part(held, ' ', 2);
        last := split_part(held, ' ', 3);
        taken := split_part(held, ' ', 4);
        IF stamp > last THEN
            size := greatest(least(taken, 4096), 1);
            stamp := NULL;
        ELSIF stamp < now_stamp - 1000 THEN
            -- A transaction that takes its time has stamps of its time.
            taken := 0;
            stamp := NULL;
        END IF;
    END IF;
    IF stamp IS NULL THEN
        -- This is also the lock that keeps others from stamps until the commit.
        UPDATE zumod_tables SET last_stamp = greatest(last_stamp + 1, now_stamp) + size - 1
        WHERE name = TG_ARGV[0]
        RETURNING last_stamp INTO last;
        stamp := last - size + 1;
        taken := taken + size;
    END IF;
    PERFORM set_config(setting, concat_ws(' ', owner, stamp + 1, last, taken), true);
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
