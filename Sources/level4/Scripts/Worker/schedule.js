'use strict';

// When a job runs: five fields of cron, which the old servers' intervals become, and what of its file nobody understands.

const { NOTE, nearest } = require('./unknown-keys');
const { isObject } = require('./v1-levels');
const { linesOfData } = require('./written-lines');

const COUNTS = ['interval', 'intervalPeriod'];
const OF_INTERVALS = ['intervalUnit', ...COUNTS, 'startTime'];
const KEYS = ['cron', ...OF_INTERVALS, 'status', 'name'];
/** A key by which somebody may have meant to stop a job. */
const SWITCH = /enabl|disabl|activ|paus|state/i;
const FIELDS = "`cron` has to be five fields: minute, hour, day, month, day of the week, such as '0 3 * * *'";
/** How many of a unit there are till cron counts anew; months have no such number of days. */
const ANEW = { minutes: [60, 'hour'], hours: [24, 'day'], days: [NaN, 'month'], months: [12, 'year'] };

/** Has a job not be scheduled, as what a key says can't be done. */
function fail(key, message) {
  throw Object.assign(new Error(message), { key });
}

/** What the file beside a job says. */
class Schedule {
  /**
   * @param {string} name the job's
   * @param {{ file: string, text: string, value: any }} written
   * @param {(file: string, line: number | null, message: string, fatal: boolean) => void} tell hears of what isn't understood
   */
  constructor(name, { file, text, value }, tell) {
    Object.assign(this, { name, file, value });
    const lines = linesOfData(text);
    this.lineOf = (key) => lines.get(key) ?? null;
    this.tell = (key, message, fatal = false) => tell(file, this.lineOf(key), message, fatal);
    /** The fields; null for a job that isn't begun by itself. */
    this.cron = null;
    if (!isObject(value) || Array.isArray(value)) return void this.tell('', 'has to be a JSON object', true);
    const isClear = this.takeKeys();
    try {
      const cron = this.read();
      this.cron = isClear ? cron : null;
    } catch (error) {
      this.tell(error.key, error.message, true);
    }
  }

  says(key) {
    return (this.value[key] ?? undefined) !== undefined;
  }

  /** Tells of keys that count for nothing; false where one may have been to say when the job runs, or that it doesn't. */
  takeKeys() {
    let isClear = true;
    for (const key of Object.keys(this.value)) {
      if (KEYS.includes(key) || !this.says(key)) continue;
      const meant = nearest(key, KEYS);
      const isIdle = meant === undefined && (NOTE.test(key) || !SWITCH.test(key));
      isClear &&= isIdle;
      this.tell(key, `\`${key}\` is no key of a job, and counts for nothing${meant === undefined ? '' : `: \`${meant}\` is one`}`
        + `${isIdle ? '' : '; the job isn\'t begun by itself'}`);
    }
    if (this.says('name') && this.value.name !== this.name) {
      this.tell('name', `\`name\` is '${this.value.name}', and counts for nothing: a job is called as its file is`);
    }
    return isClear;
  }

  read() {
    const { cron, intervalUnit, status } = this.value;
    if (this.says('status')) {
      const word = String(status).toLowerCase();
      if (word === 'disabled') return null;
      if (word !== 'enabled') fail('status', `\`status\` is '${status}', and has to be enabled or disabled`);
    }
    if (this.says('cron')) {
      if (typeof cron !== 'string' || cron.trim().split(/\s+/).length !== 5) fail('cron', FIELDS);
      for (const key of OF_INTERVALS) {
        if (this.says(key)) this.tell(key, `\`${key}\` counts for nothing beside \`cron\``);
      }
      return cron.trim();
    }
    const counts = COUNTS.filter((key) => this.says(key));
    if (!this.says('intervalUnit')) {
      const idle = [...counts, 'startTime'].find((key) => this.says(key));
      if (idle) fail(idle, `\`${idle}\` says nothing without \`intervalUnit\`, one of minute, hour, day and month, or none`);
      return null;
    }
    const unit = String(intervalUnit).toLowerCase();
    return unit === 'none' ? null : this.readInterval(unit, counts);
  }

  readInterval(unit, [key = 'intervalUnit', other]) {
    const written = COUNTS.includes(key) ? this.value[key] : 1;
    const count = ['number', 'string'].includes(typeof written) ? Number(written) : NaN;
    if (!Number.isInteger(count) || count < 1) fail(key, `\`${key}\` has to be a whole number from 1`);
    if (other) this.tell(other, `\`${other}\` counts for nothing beside \`${key}\``);
    if (this.says('startTime')) {
      this.tell('startTime', '`startTime` counts for nothing: a job begins with the minute, hour, day or month (UTC); '
        + '{"cron": "30 2 * * *"} says another time');
    }
    switch (unit.replace(/s$/, '')) {
      case 'minute': return this.everyMinutes(key, count);
      case 'hour': return this.everyHours(key, count);
      case 'day': return count === 1 ? '0 0 * * *' : `0 0 */${this.within(key, count, 31, 'days')} * *`;
      case 'month': return count === 1 ? '0 0 1 * *' : `0 0 1 */${this.within(key, count, 12, 'months')} *`;
      default:
        return fail('intervalUnit', `\`intervalUnit\` is '${this.value.intervalUnit}', none of minute, hour, day and month`);
    }
  }

  everyMinutes(key, count) {
    if (count % 60 === 0) return this.everyHours(key, count / 60);
    return count === 1 ? '* * * * *' : `*/${this.within(key, count, 60, 'minutes')} * * * *`;
  }

  everyHours(key, count) {
    if (count % 24 === 0) return count === 24 ? '0 0 * * *' : `0 0 */${this.within(key, count / 24, 31, 'days')} * *`;
    return count === 1 ? '0 * * * *' : `0 */${this.within(key, count, 24, 'hours')} * * *`;
  }

  /** Cron counts anew with every hour, day, month and year. */
  within(key, count, most, unit) {
    if (count >= most) {
      fail(key, `cron can't say every ${count} ${unit}: write {"cron": "0 3 * * *"} with the fields that you mean`);
    }
    const [number, larger] = ANEW[unit];
    if (number % count !== 0) {
      this.tell(key, `every ${count} ${unit} begins anew with every ${larger}: the last interval before that is shorter`);
    }
    return count;
  }
}

module.exports = { Schedule };
