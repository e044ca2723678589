-- zumod's functions run in the sessions of other programs too, and bring with them what they rely on.

-- Runs before each row that another program writes: gives it the next version and the table's next stamp. What is left
-- of a block is in a setting of the transaction, which goes back with it, and with a savepoint, as the block itself does.
-- A program that knows nothing of zumod's columns may set them to null, as it could before.
CREATE OR REPLACE FUNCTION zumod_renew() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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
    NEW."deleted" := coalesce(NEW."deleted", false);
    IF TG_OP = 'UPDATE' THEN
        NEW."createdAt" := coalesce(NEW."createdAt", OLD."createdAt");
    ELSE
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

DO $migration$
DECLARE
    function record;
BEGIN
    FOR function IN
        SELECT p.oid::regprocedure AS name, n.nspname AS schema, p.prorettype = 'pg_catalog.trigger'::regtype AS fires,
            l.lanname = 'plpgsql' AND strpos(p.prosrc, chr(92)) > 0 AS has_escapes
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
        WHERE n.nspname = current_schema() AND starts_with(p.proname, 'zumod_')
    LOOP
        IF function.fires THEN
            -- Its owner's rights: who may write to a table needs none to zumod's own. So nobody else may make a trigger of
            -- it, which would run with these rights; none is needed to fire one.
            EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER', function.name);
            EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', function.name);
        ELSE
            -- Indexes need it, whatever the default privileges of new functions are.
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', function.name);
        END IF;
        -- The others run for each row of a query, where a setting takes time, and name nothing that depends on one.
        IF function.fires OR function.has_escapes THEN
            EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, %I, pg_temp', function.name, function.schema);
            EXECUTE format('ALTER FUNCTION %s SET standard_conforming_strings = on', function.name);
        END IF;
    END LOOP;
END
$migration$;
