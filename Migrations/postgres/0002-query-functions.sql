-- The functions of the query language for which PostgreSQL has other rules. They answer what SQLite answers.

-- Case: one code point becomes one code point, in every script, and no other than A to Z becomes ASCII by lowering.
DO $migration$
DECLARE
    best record;
    unicode text;
    -- Characters that keep their case, since their counterparts are several characters, or ASCII.
    not_lowered text := '[\u0130\u212A]';
    not_uppered text := '[\u00DF\u0149\u01F0\u0390\u03B0\u0587\u1E96-\u1E9A\u1F50\u1F52\u1F54\u1F56\u1F80-\u1FAF'
        '\u1FB2-\u1FB4\u1FB6-\u1FB7\u1FBC\u1FC2-\u1FC4\u1FC6-\u1FC7\u1FCC\u1FD2-\u1FD3\u1FD6-\u1FD7\u1FE2-\u1FE4'
        '\u1FE6-\u1FE7\u1FF2-\u1FF4\u1FF6-\u1FF7\u1FFC\uFB00-\uFB06\uFB13-\uFB17]';
    -- Characters for which the whole text can't be lowered at once. ICU looks at what surrounds a sigma.
    lowered_apart text := not_lowered;
BEGIN
    SELECT collname, collprovider INTO best FROM pg_collation
    WHERE collname IN ('pg_c_utf8', 'C.utf8', 'C.UTF-8', 'und-x-icu', 'en_US.utf8')
        AND collencoding IN (-1, pg_char_to_encoding('UTF8')) AND collnamespace = 'pg_catalog'::regnamespace
    ORDER BY array_position(ARRAY['pg_c_utf8', 'C.utf8', 'C.UTF-8', 'und-x-icu', 'en_US.utf8'], collname::text)
    LIMIT 1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'zumod needs a collation that knows Unicode: C.utf8, und-x-icu or en_US.utf8';
    END IF;
    unicode := format('pg_catalog.%I', best.collname);
    IF best.collprovider = 'i' THEN
        lowered_apart := '[\u0130\u212A\u03A3]';
    END IF;

    EXECUTE format($create$
        CREATE FUNCTION zumod_fold_each(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT coalesce(string_agg(CASE WHEN c ~ %L THEN c ELSE lower(c COLLATE %s) COLLATE "C" END, '' ORDER BY n),
                '') FROM regexp_split_to_table(value, '') WITH ORDINALITY AS characters (c, n)
        $$
        $create$, not_lowered, unicode);
    EXECUTE format($create$
        CREATE FUNCTION zumod_fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
                WHEN octet_length(value) = char_length(value) THEN lower(value COLLATE "C") COLLATE "C"
                WHEN value ~ %L THEN zumod_fold_each(value) COLLATE "C"
                ELSE lower(value COLLATE %s) COLLATE "C"
            END
        $create$, lowered_apart, unicode);
    EXECUTE format($create$
        CREATE FUNCTION zumod_upper_each(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
            SELECT coalesce(string_agg(CASE WHEN c ~ %L THEN c ELSE upper(c COLLATE %s) COLLATE "C" END, '' ORDER BY n),
                '') FROM regexp_split_to_table(value, '') WITH ORDINALITY AS characters (c, n)
        $$
        $create$, not_uppered, unicode);
    EXECUTE format($create$
        CREATE FUNCTION zumod_upper(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN CASE
                WHEN octet_length(value) = char_length(value) THEN upper(value COLLATE "C") COLLATE "C"
                WHEN value ~ %L THEN zumod_upper_each(value) COLLATE "C"
                ELSE upper(value COLLATE %s) COLLATE "C"
            END
        $create$, not_uppered, unicode);
END
$migration$;

-- Code points of a text as it was sent: U+0001 begins the pairs in which U+0000 and U+0001 are stored.
CREATE FUNCTION zumod_length(value text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN strpos(value, E'\x01') = 0 THEN char_length(value)
        ELSE char_length(replace(replace(value, E'\x01\x01', '0'), E'\x01\x02', '1'))
    END;

-- A number of code points to pass over or to take; null stays null.
CREATE FUNCTION zumod_count(value numeric) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN value IS NOT NULL THEN least(greatest(trunc(value), 0), 2147483646)::integer END;

-- Replaces each occurrence, found without regard to case.
CREATE FUNCTION zumod_replace(value text, pattern text, replacement text) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
DECLARE
    needle text := zumod_fold(pattern);
    folded text := zumod_fold(value);
    rest text := value;
    result text := '';
    place integer;
BEGIN
    IF needle = '' THEN
        RETURN value;
    END IF;
    LOOP
        place := strpos(folded, needle);
        EXIT WHEN place = 0;
        result := result || left(rest, place - 1) || replacement;
        rest := substr(rest, place + char_length(needle));
        folded := substr(folded, place + char_length(needle));
    END LOOP;
    RETURN result || rest;
END
$$;

-- The date that a text holds, in the forms that clients send; null where it holds none.
CREATE FUNCTION zumod_date(value text) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    part text[] := regexp_match(value, '^([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})'
        '(?::([0-9]{2})(?:\.([0-9]+))?)?(?:[Zz]|([-+ ])([0-9]{2})(?::?([0-9]{2}))?)?)?$');
    year integer := part[1]::integer;
    month integer := part[2]::integer;
    day integer := part[3]::integer;
    hour integer := coalesce(part[4]::integer, 0);
    minute integer := coalesce(part[5]::integer, 0);
    second integer := coalesce(part[6]::integer, 0);
    milliseconds integer := rpad(left(coalesce(part[7], ''), 3), 3, '0')::integer;
    off integer := coalesce(part[9]::integer, 0) * 60 + coalesce(part[10]::integer, 0);
    instant timestamptz;
BEGIN
    IF part IS NULL OR year < 1 OR month NOT BETWEEN 1 AND 12 OR day < 1 OR hour > 23 OR minute > 59 OR second > 59
        OR coalesce(part[9]::integer, 0) > 14 OR coalesce(part[10]::integer, 0) > 59 THEN
        RETURN NULL;
    END IF;
    IF day > extract(day FROM make_date(year, month, 1) + interval '1 month' - interval '1 day') THEN
        RETURN NULL;
    END IF;
    instant := make_timestamp(year, month, day, hour, minute, second) AT TIME ZONE 'UTC'
        + milliseconds * interval '1 millisecond';
    IF part[8] = '-' THEN
        instant := instant + off * interval '1 minute';
    ELSE
        instant := instant - off * interval '1 minute';
    END IF;
    IF instant < timestamptz '0001-01-01 00:00:00Z' OR instant >= timestamptz '10000-01-01 00:00:00Z' THEN
        RETURN NULL;
    END IF;
    RETURN instant;
END
$$;

-- Numbers near the ends of the range of doubles: infinity and 0 instead of errors, null instead of no number.
CREATE FUNCTION zumod_calculate(operation text, a float8, b float8) RETURNS float8
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
    CASE operation
        WHEN '+' THEN RETURN nullif(a + b, 'NaN');
        WHEN '-' THEN RETURN nullif(a - b, 'NaN');
        WHEN '*' THEN RETURN nullif(a * b, 'NaN');
        ELSE RETURN nullif(a / nullif(b, 0), 'NaN');
    END CASE;
EXCEPTION WHEN numeric_value_out_of_range THEN
    CASE
        WHEN operation IN ('+', '-') THEN RETURN CASE WHEN a < 0 THEN '-Infinity'::float8 ELSE 'Infinity'::float8 END;
        WHEN operation = '*' AND ln(abs(a)) + ln(abs(b)) < 0 THEN RETURN 0;
        WHEN operation = '/' AND ln(abs(a)) - ln(abs(b)) < 0 THEN RETURN 0;
        ELSE RETURN CASE WHEN (a < 0) = (b < 0) THEN 'Infinity'::float8 ELSE '-Infinity'::float8 END;
    END CASE;
END
$$;

CREATE FUNCTION zumod_add(a float8, b float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN abs(a) < 8e307 AND abs(b) < 8e307 THEN a + b ELSE zumod_calculate('+', a, b) END;

CREATE FUNCTION zumod_subtract(a float8, b float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN abs(a) < 8e307 AND abs(b) < 8e307 THEN a - b ELSE zumod_calculate('-', a, b) END;

CREATE FUNCTION zumod_multiply(a float8, b float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN abs(a) BETWEEN 1e-150 AND 1e150 AND abs(b) BETWEEN 1e-150 AND 1e150 THEN a * b
        ELSE zumod_calculate('*', a, b)
    END;

CREATE FUNCTION zumod_divide(a float8, b float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN abs(a) BETWEEN 1e-150 AND 1e150 AND abs(b) BETWEEN 1e-150 AND 1e150 THEN a / b
        ELSE zumod_calculate('/', a, b)
    END;

-- The exact remainder with the sign of the dividend, as C's fmod has it: each step takes off a power of two of the
-- divisor, which rounds nothing.
CREATE FUNCTION zumod_modulo(a float8, b float8) RETURNS float8
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    rest float8 := abs(a);
    divisor float8 := abs(b);
    step float8;
BEGIN
    IF divisor = 0 OR rest = 'Infinity' OR rest = 'NaN' OR divisor = 'NaN' THEN
        RETURN NULL;
    END IF;
    WHILE rest >= divisor AND divisor <> 'Infinity' LOOP
        step := divisor;
        WHILE step <= rest / 2 LOOP
            step := step * 2;
        END LOOP;
        rest := rest - step;
    END LOOP;
    RETURN CASE WHEN a < 0 THEN -rest ELSE rest END;
EXCEPTION WHEN numeric_value_out_of_range THEN
    RETURN NULL;
END
$$;

-- Half away from zero.
CREATE FUNCTION zumod_round(value float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN abs(value) < 4503599627370496 THEN trunc(value + CASE WHEN value < 0 THEN -0.5 ELSE 0.5 END)
        ELSE value
    END;
