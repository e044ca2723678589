-- Columns of other programs may hold dates that no client can read: infinite ones, and years beyond 0001 to 9999. They are
-- shown as the first or the last instant that can be written down.

-- What a client is shown of a date, but for the digits behind the millisecond.
CREATE FUNCTION zumod_shown(value timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN value < timestamptz '0001-01-01 00:00:00+00' THEN timestamptz '0001-01-01 00:00:00+00'
        WHEN value > timestamptz '9999-12-31 23:59:59.999+00' THEN timestamptz '9999-12-31 23:59:59.999+00'
        ELSE value
    END;

CREATE FUNCTION zumod_shown(value timestamp) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN value < timestamp '0001-01-01 00:00:00' THEN timestamptz '0001-01-01 00:00:00+00'
        WHEN value > timestamp '9999-12-31 23:59:59.999' THEN timestamptz '9999-12-31 23:59:59.999+00'
        ELSE value AT TIME ZONE 'UTC'
    END;

-- A date's own range is wider than that of instants.
CREATE FUNCTION zumod_shown(value date) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE
        WHEN value < date '0001-01-01' THEN timestamptz '0001-01-01 00:00:00+00'
        WHEN value > date '9999-12-31' THEN timestamptz '9999-12-31 23:59:59.999+00'
        ELSE CAST(value AS timestamp) AT TIME ZONE 'UTC'
    END;

-- What a column is to hold after a write: what it holds, where the client brings back what it was shown of it.
CREATE FUNCTION zumod_kept(stored timestamptz, sent timestamptz) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN date_trunc('milliseconds', zumod_shown(stored)) = sent THEN stored ELSE sent END;

CREATE FUNCTION zumod_kept(stored timestamp, sent timestamptz) RETURNS timestamp LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE
        WHEN date_trunc('milliseconds', zumod_shown(stored)) = sent THEN stored
        ELSE sent AT TIME ZONE 'UTC'
    END;

CREATE FUNCTION zumod_kept(stored date, sent timestamptz) RETURNS date LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN zumod_shown(stored) = sent THEN stored ELSE CAST(sent AT TIME ZONE 'UTC' AS date) END;
