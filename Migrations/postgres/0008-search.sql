-- Where a text begins in another, counted from 1; 0 where it doesn't. strpos alone may take the product of both lengths,
-- and neither statement_timeout nor a cancellation stops it meanwhile. Here long texts are searched a piece at a time.
CREATE FUNCTION zumod_position(value text, needle text) RETURNS integer
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    at_once constant bigint := 10000000;
    length integer;
    step integer;
    place integer := 1;
    found integer;
BEGIN
    IF octet_length(value)::bigint * octet_length(needle) <= at_once THEN
        RETURN strpos(value, needle);
    END IF;
    length := char_length(needle);
    step := greatest(1, at_once / length);
    WHILE place <= char_length(value) - length + 1 LOOP
        found := strpos(substr(value, place, step + length - 1), needle);
        IF found > 0 THEN
            RETURN place + found - 1;
        END IF;
        place := place + step;
    END LOOP;
    RETURN 0;
END
$$;
