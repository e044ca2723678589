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
        SELECT s.seqrelid::regclass AS name FROM zumod_tables t
        JOIN pg_class c ON c.oid = to_regclass(format('%I', t.relation))
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'id'
        JOIN pg_depend d ON d.refobjid = c.oid AND d.refobjsubid = a.attnum AND d.deptype IN ('a', 'i')
            AND d.refclassid = 'pg_class'::regclass AND d.classid = 'pg_class'::regclass
        JOIN pg_sequence s ON s.seqrelid = d.objid
        WHERE s.seqmax > 9223372032559808511
            AND coalesce(pg_sequence_last_value(s.seqrelid), 0) <= 9223372032559808511
            AND pg_has_role((SELECT relowner FROM pg_class WHERE oid = s.seqrelid), 'USAGE')
    LOOP
        EXECUTE format('ALTER SEQUENCE %s MAXVALUE 9223372032559808511', numbers.name);
    END LOOP;
END
$$;
