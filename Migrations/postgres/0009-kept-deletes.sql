-- Runs before each row that another program deletes from a table with soft delete: the row stays as a tombstone, which
-- the update's own trigger gives its version and stamp; one that is a tombstone already stays as it is.
CREATE FUNCTION zumod_keep() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        RAISE EXCEPTION 'TRUNCATE of table % would remove rows that devices never learn of', TG_TABLE_NAME
            USING ERRCODE = 'object_not_in_prerequisite_state',
                HINT = 'DELETE makes tombstones of them, and zumod table purge removes those.';
    END IF;
    IF NOT OLD."deleted" THEN
        EXECUTE format('UPDATE %s SET "deleted" = true WHERE "id" = $1', TG_RELID::regclass) USING OLD."id";
    END IF;
    RETURN NULL;
END
$$;
