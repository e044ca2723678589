-- Where numbers come to their end. What leaves no room for later ones is refused where it comes in, by whoever writes it.

-- The last stamp that can be written down is 9999-12-31T23:59:59.999Z; later ones could not be told from each other. Tables
-- whose stamps are there already go on being read, and their writes are refused, until they are mended.
ALTER TABLE zumod_tables ADD CONSTRAINT zumod_stamps_end CHECK (last_stamp BETWEEN 0 AND 253402300799999) NOT VALID;

-- An id that is written by hand moves the sequence of its table (zumod_renew), which now refuses those near its end.
DO $$
DECLARE
    numbers record;
BEGIN
    FOR numbers IN
        -- These first: to ask another program's sequence for its last value may fail.
        WITH ours AS MATERIALIZED (
            SELECT s.seqrelid, s.seqmax, pg_has_role(o.relowner, 'USAGE') AS is_ours
            FROM zumod_tables t
            JOIN pg_class c ON c.relname = t.relation
                AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'id'
            JOIN pg_depend d ON d.refobjid = c.oid AND d.refobjsubid = a.attnum AND d.deptype IN ('a', 'i')
                AND d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_class'::regclass
            JOIN pg_sequence s ON s.seqrelid = d.objid
            JOIN pg_class o ON o.oid = s.seqrelid
        )
        SELECT seqrelid::regclass AS name FROM ours
        WHERE CASE WHEN is_ours AND seqmax > 9223372032559808511
            THEN coalesce(pg_sequence_last_value(seqrelid), 0) <= 9223372032559808511 ELSE false END
    LOOP
        EXECUTE format('ALTER SEQUENCE %s MAXVALUE 9223372032559808511', numbers.name);
    END LOOP;
END
$$;
