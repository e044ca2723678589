-- The bound of what a query may calculate with. So cheap to the planner that it comes before what it keeps from being
-- calculated, in a language whose functions are not taken apart. Neither reads the text itself.

-- A sum, and the bytes of a text so many times.
CREATE FUNCTION zumod_weigh(value text, factor bigint, sum bigint) RETURNS bigint
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 0.0001 AS $$
BEGIN
    RETURN sum + factor * coalesce(octet_length(value), 0);
END
$$;

-- Whether a number is at most another; fails otherwise.
CREATE FUNCTION zumod_within(value bigint, most bigint) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 0.0001 AS $$
BEGIN
    IF value > most THEN
        RAISE EXCEPTION 'too much text to calculate with' USING ERRCODE = 'ZM001';
    END IF;
    RETURN true;
END
$$;
