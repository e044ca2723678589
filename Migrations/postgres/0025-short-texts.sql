-- The bound of the texts that scripts of T-SQL calculate: PostgreSQL's own is a gigabyte, and nothing stops it on the way.
-- In a language whose functions are not taken apart.

-- A text that is at most so many bytes long; fails otherwise.
CREATE FUNCTION zumod_short(value text, most bigint) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    IF octet_length(value) > most THEN
        RAISE EXCEPTION 'too much text to calculate with' USING ERRCODE = 'ZM001';
    END IF;
    RETURN value;
END
$$;

-- Replaces what is found without regard to case, where that comes to at most so many bytes; fails otherwise. Each step is
-- a short one, between which the statement's time is looked at. Where the pattern is short and ASCII, the search is that of
-- patterns, which reads the text once: no letter beyond ASCII is folded to one of those.
CREATE FUNCTION zumod_replaced(value text, pattern text, replacement text, most bigint) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
DECLARE
    at_once constant bigint := 1000000000;
    needle text := zumod_fold(pattern);
    folded text;
    rest text := value;
    size bigint := octet_length(value);
    pieces text[] := '{}';
    place integer;
    length integer := char_length(pattern);
BEGIN
    IF needle = '' OR size = 0 THEN
        RETURN zumod_short(value, most);
    END IF;
    folded := zumod_fold(value);
    IF octet_length(needle) = length AND length <= 1000
        AND octet_length(folded)::bigint * length <= at_once THEN
        size := size + (octet_length(folded) - octet_length(replace(folded, needle, ''))) / length
            * (octet_length(replacement) - length)::bigint;
        IF size > most THEN
            RAISE EXCEPTION 'too much text to calculate with' USING ERRCODE = 'ZM001';
        END IF;
        RETURN regexp_replace(value COLLATE "C", '***=' || needle,
            replace(replacement, chr(92), chr(92) || chr(92)), 'gi');
    END IF;
    size := 0;
    LOOP
        place := zumod_position(folded, needle);
        EXIT WHEN place = 0;
        pieces := pieces || left(rest, place - 1) || replacement;
        size := size + octet_length(left(rest, place - 1)) + octet_length(replacement);
        IF size > most THEN
            RAISE EXCEPTION 'too much text to calculate with' USING ERRCODE = 'ZM001';
        END IF;
        rest := substr(rest, place + length);
        folded := substr(folded, place + length);
    END LOOP;
    RETURN zumod_short(array_to_string(pieces, '') || rest, most);
END
$$;
