// What charts show of two snapshots of counters: the work between them. Pure.

// A JSON number as one to draw; null where there is none. Counters are drawn, never shown as they are.
export function drawable(value) {
  if (value === null || value === undefined) return null;
  const number = Number(String(value));
  return Number.isFinite(number) ? number : null;
}

export class Meter {
  #before = null;

  // A point of all charts; null for the first snapshot, and after the server began anew.
  take(snapshot) {
    const now = readSnapshot(snapshot);
    const before = this.#before;
    this.#before = now;
    if (before === null || now.uptime < before.uptime || now.at <= before.at) return null;
    const seconds = (now.at - before.at) / 1000;
    const rate = (after, earlier) =>
      after === null || earlier === null || after < earlier ? null : (after - earlier) / seconds;
    const classes = {};
    for (const name of Object.keys(now.requests)) classes[name] = rate(now.requests[name], before.requests[name] ?? 0);
    const latency = latencyBetween(before.latency, now.latency);
    return {
      at: now.at,
      classes,
      errors: classes["5xx"] ?? null,
      p50: quantile(latency, 0.5), p95: quantile(latency, 0.95), p99: quantile(latency, 0.99),
      commits: rate(now.commits, before.commits),
      connections: now.connections,
      poolBusy: now.poolBusy, poolWaiting: now.poolWaiting, poolSize: now.poolSize,
      drift: now.drift,
      memory: now.memory,
    };
  }
}

function readSnapshot(snapshot) {
  const requests = {};
  for (const [name, count] of Object.entries(snapshot.requests ?? {})) requests[name] = drawable(count);
  const latency = (snapshot.latency ?? []).map(({ le, count }) => ({
    // The last bucket's bound is "+Inf" or null: everything fits.
    le: drawable(le) ?? Infinity,
    count: drawable(count) ?? 0,
  }));
  return {
    at: Date.parse(snapshot.at),
    uptime: drawable(snapshot.uptimeSeconds) ?? 0,
    requests,
    latency,
    commits: drawable(snapshot.commits),
    connections: drawable(snapshot.connections),
    poolSize: drawable(snapshot.pool?.size),
    poolBusy: drawable(snapshot.pool?.busy),
    poolWaiting: drawable(snapshot.pool?.waiting),
    drift: drawable(snapshot.driftSeconds),
    memory: drawable(snapshot.residentBytes),
  };
}

export function latencyBetween(before, after) {
  if (before.length !== after.length) return [];
  return after.map(({ le, count }, index) => ({ le, count: count - before[index].count }));
}

// The latency below which the share of requests stays, as if they were spread evenly within a bucket.
export function quantile(buckets, share) {
  const total = buckets.at(-1)?.count ?? 0;
  if (!(total > 0)) return null;
  const rank = share * total;
  let lower = 0;
  let below = 0;
  for (const { le, count } of buckets) {
    if (count >= rank) {
      // Nothing is known of what lies above the last bound but that it lies above.
      if (le === Infinity) return lower;
      return lower + (le - lower) * (count === below ? 1 : (rank - below) / (count - below));
    }
    lower = le;
    below = count;
  }
  return lower;
}
