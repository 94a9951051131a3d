import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counters of rate limits, for installations whose queue is on Postgres (G6). */
export class RateLimits1764500000021 implements MigrationInterface {
  readonly name = 'RateLimits1764500000021';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COUNTERS);
  }

  async down(): Promise<void> {
    throw new Error('Migrations go forward only; restore a backup to go back.');
  }
}

const COUNTERS = `
  -- Of no tenant, because addresses are counted before one is known; reached through the function alone. Not logged: a
  -- counter is worth a minute, and a crash that forgets it costs nothing.
  CREATE UNLOGGED TABLE rate_limit (
    key text COLLATE "C" PRIMARY KEY,
    total int NOT NULL,
    ends_at timestamptz NOT NULL
  );
  CREATE INDEX rate_limit_age ON rate_limit (ends_at);
  GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limit TO perdure_auth;

  -- Adds to a counter, which begins anew with the first addition after its minute. By the clock of the database, so that
  -- processes need not agree on theirs. One call in a hundred removes counters whose minute is over.
  CREATE FUNCTION perdure_count_requests(counter text, requests int)
  RETURNS TABLE (total int, resets_in_ms int)
  LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  BEGIN
    IF random() < 0.01 THEN
      DELETE FROM rate_limit WHERE key IN
        (SELECT key FROM rate_limit WHERE ends_at < now() AND key <> counter LIMIT 1000 FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN QUERY
      INSERT INTO rate_limit AS r (key, total, ends_at)
      VALUES (counter, requests, clock_timestamp() + interval '1 minute')
      ON CONFLICT (key) DO UPDATE SET
        total = CASE WHEN r.ends_at <= clock_timestamp() THEN excluded.total
                     ELSE least(r.total::bigint + excluded.total, 2147483647)::int END,
        ends_at = CASE WHEN r.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE r.ends_at END
      RETURNING r.total, greatest(0, ceil(extract(epoch FROM r.ends_at - clock_timestamp()) * 1000))::int;
  END $$;
  ALTER FUNCTION perdure_count_requests(text, int) OWNER TO perdure_auth;
  REVOKE ALL ON FUNCTION perdure_count_requests(text, int) FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION perdure_count_requests(text, int) TO perdure_app;
`;
