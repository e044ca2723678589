-- Where numbers come to their end. What leaves no room for later ones is refused where it comes in, by whoever writes it.

-- The last stamp that can be written down is 9999-12-31T23:59:59.999Z; later ones could not be told from each other. A sum
-- that is no whole number any more is a real one.
CREATE TRIGGER zumod_stamps_end BEFORE UPDATE OF last_stamp ON zumod_tables
WHEN typeof(NEW.last_stamp) <> 'integer' OR NEW.last_stamp NOT BETWEEN 0 AND 253402300799999
BEGIN
    SELECT RAISE(ABORT, 'zumod: the stamps of the table have come to their end; zumod verify says what to do');
END;

CREATE TRIGGER zumod_versions_end BEFORE UPDATE OF value ON zumod_counters
WHEN NEW.name = 'version' AND (typeof(NEW.value) <> 'integer' OR NEW.value < 0)
BEGIN
    SELECT RAISE(ABORT, 'zumod: the versions have come to their end; zumod verify says what to do');
END;
