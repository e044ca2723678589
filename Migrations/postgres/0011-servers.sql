-- The running servers, by the number that their sessions hold as an advisory lock, and when each last said that it
-- lives. Others end the transactions of one that says nothing for long, which would hold their locks.
CREATE TABLE zumod_servers (
    number bigint PRIMARY KEY,
    seen_at timestamp with time zone NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 20);
