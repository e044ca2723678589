-- What catches an error begins a subtransaction, which PostgreSQL refuses in a query that several processes answer: these
-- said that they may be part of one, and a list by a calculation over a large table failed at the first 0. The functions
-- around it say so too, since it is by them that a query is looked at.
ALTER FUNCTION zumod_calculate(text, float8, float8) PARALLEL UNSAFE;
ALTER FUNCTION zumod_modulo(float8, float8) PARALLEL UNSAFE;
ALTER FUNCTION zumod_add(float8, float8) PARALLEL UNSAFE;
ALTER FUNCTION zumod_subtract(float8, float8) PARALLEL UNSAFE;
ALTER FUNCTION zumod_multiply(float8, float8) PARALLEL UNSAFE;
ALTER FUNCTION zumod_divide(float8, float8) PARALLEL UNSAFE;
