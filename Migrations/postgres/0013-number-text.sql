-- A double as text in as few digits as tell it; whole numbers without a fraction.
CREATE FUNCTION zumod_number_text(value float8) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN abs(value) < 4611686018427387904 AND value = trunc(value) THEN value::bigint::text
        -- PostgreSQL writes these with an exponent.
        WHEN abs(value) BETWEEN 1e15 AND 1e16 THEN value::text::numeric::text
        ELSE value::text
    END;
