-- Decimals in filters, where PostgreSQL's rules are others than those of the query language.

-- The quotient to 28 digits behind the point, half away from zero; null where the divisor is 0. One digit more is cut
-- and not rounded: it alone tells how to round.
CREATE FUNCTION zumod_decimal_divide(a numeric, b numeric) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN round(div(a * 1e29, nullif(b, 0)) * 1e-29, 28);

-- The nearest double; 0 and the infinities where PostgreSQL would refuse the number.
CREATE FUNCTION zumod_real(value numeric) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN abs(value) >= 1e308 THEN CASE WHEN value < 0 THEN '-Infinity'::float8 ELSE 'Infinity'::float8 END
        WHEN abs(value) < 1e-307 THEN 0
        ELSE value::float8
    END;
