'use strict';

// When a job runs: five fields of cron, which the old servers' intervals become.

const FIELDS = "cron has to be five fields: minute, hour, day, month, day of the week, such as '0 3 * * *'";

/** @returns {string | null} null for a job that is run by hand */
function cronOf(rules) {
  if (!rules) return null;
  if (rules.cron !== undefined) {
    if (typeof rules.cron !== 'string' || rules.cron.trim().split(/\s+/).length !== 5) throw new Error(FIELDS);
    return rules.cron.trim();
  }
  const unit = String(rules.intervalUnit ?? '').toLowerCase();
  const count = Number(rules.interval ?? rules.intervalPeriod ?? 1);
  if (!unit || unit === 'none' || String(rules.status ?? '').toLowerCase() === 'disabled') return null;
  if (!Number.isInteger(count) || count < 1) throw new Error('interval has to be a whole number from 1');
  switch (unit.replace(/s$/, '')) {
    case 'minute': return everyMinutes(count);
    case 'hour': return everyHours(count);
    case 'day': return count === 1 ? '0 0 * * *' : `0 0 */${within(count, 31, 'days')} * *`;
    case 'month': return count === 1 ? '0 0 1 * *' : `0 0 1 */${within(count, 12, 'months')} *`;
    default: throw new Error(`intervalUnit '${rules.intervalUnit}' is none of minute, hour, day and month`);
  }
}

function everyMinutes(count) {
  if (count % 60 === 0) return everyHours(count / 60);
  return count === 1 ? '* * * * *' : `*/${within(count, 60, 'minutes')} * * * *`;
}

function everyHours(count) {
  if (count % 24 === 0) return count === 24 ? '0 0 * * *' : `0 0 */${within(count / 24, 31, 'days')} * *`;
  return count === 1 ? '0 * * * *' : `0 */${within(count, 24, 'hours')} * * *`;
}

/** Cron counts anew with every hour, day, month and year. */
function within(count, most, unit) {
  if (count < most) return count;
  throw new Error(`cron can't say every ${count} ${unit}: write {"cron": "0 3 * * *"} with the fields that you mean`);
}

module.exports = { cronOf };
