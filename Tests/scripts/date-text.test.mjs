// Dates as JSON has them, against what V8 itself writes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs } from './kit.mjs';

const { quickenDates, timeOf } = requireOurs('./date-text');
const native = Date.prototype.toJSON;
quickenDates();
const quick = Date.prototype.toJSON;

function setting(toJSON, body) {
  Object.defineProperty(Date.prototype, 'toJSON', { value: toJSON });
  return body();
}

/** What becomes of a value: its text, or the error. */
function said(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

function same(make) {
  const [ours, theirs] = [setting(quick, () => said(make())), setting(native, () => said(make()))];
  assert.equal(ours, theirs);
}

/** Numbers that look random and are the same each time. */
let seed = 20260729;
function random(below) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

const pick = (values) => values[random(values.length)];
const EDGES = [
  0, -1, 1, 86399999, 86400000, -86400000, -62167219200000, -62167219200001, 253402300799999, 253402300800000,
  8.64e15, -8.64e15, 8.64e15 + 1, NaN, Infinity, -0, 951782400000, 951868799999, 4107542400000,
];

class Late extends Date {
  toISOString() { return 'late'; }
}
class Counted extends Date {
  valueOf() { return NaN; }
}
class Plain extends Date {}
class Own extends Date {
  toJSON(key) { return `own ${key}`; }
}

function date() {
  const time = random(4) === 0 ? pick(EDGES) : (random(2 ** 31) - 2 ** 30) * 2 ** random(24) + random(1000);
  const made = new (pick([Date, Date, Date, Date, Date, Plain, Late, Counted, Own]))(time);
  switch (random(12)) {
    case 0: made.toISOString = () => 'another'; break;
    case 1: made.toJSON = (key) => [key]; break;
    case 2: made.toJSON = undefined; break;
    case 3: Object.defineProperty(made, Symbol.toPrimitive, { value: () => Infinity }); break;
    case 4: return Object.freeze(made);
    case 5: return new Proxy(made, {});
    case 6: return Object.create(made);
    case 7: Object.setPrototypeOf(made, random(2) ? Object.prototype : null); break;
    case 8: made.toISOString = 1; break;
    default:
  }
  return made;
}

function value(depth) {
  switch (random(depth > 3 ? 9 : 14)) {
    case 0: case 1: case 2: return date();
    case 3: return pick([null, undefined, true, false, NaN, -0, 1e21, 2 ** 53, () => 1, Symbol('a')]);
    case 4: return pick(['', 'text', 'é\u0000\ud800', '__proto__', '2026-01-01T00:00:00.000Z']);
    case 5: return random(20) ? random(1000) : 10n;
    case 6: return { toJSON: (key) => new Date(key.length) };
    case 7: return new Map([[1, 2]]);
    case 8: return [pick([new String('a'), new Number(1), Object(false)])];
    case 9: {
      const list = [];
      list[random(4)] = value(depth + 1);
      return list;
    }
    default: {
      const row = pick([{}, {}, {}, Object.create(null), Object.create({ inherited: new Date(0) })]);
      for (let number = random(6); number > 0; number--) {
        const [name, member] = [pick(['a', 'b', '1', 'toString', 'createdAt', 'é']), value(depth + 1)];
        const enumerable = random(3) > 0;
        const plain = { value: member, writable: true, enumerable: true };
        const said = random(8) ? plain : { get: () => member, enumerable };
        Object.defineProperty(row, name, { ...said, configurable: true });
      }
      return random(6) ? row : Object.freeze(row);
    }
  }
}

test('a date is written as V8 writes it', () => {
  for (const time of EDGES) same(() => new Date(time));
  for (let year = -2; year < 10002; year++) {
    for (const month of [0, 1, 2, 11]) same(() => new Date(Date.UTC(2000, month, 29) + (year - 2000) * 31556952000));
  }
  for (let day = 0; day < 366 * 8; day++) {
    same(() => new Date(Date.UTC(1996, 0, 1 + day, day % 24, day % 60, day % 59, day % 1000)));
  }
});

test('twenty thousand values are the same text as before', () => {
  for (let number = 0; number < 20000; number++) {
    const before = seed;
    same(() => {
      seed = before;
      return value(0);
    });
  }
});

test('whoever calls it by name gets what the original gives', () => {
  const call = (toJSON, self) => {
    try { return toJSON.call(self, 'key'); } catch (error) { return `${error.name}: ${error.message}`; }
  };
  const others = [
    undefined, null, 1, 'text', {}, [], Object.create(Date.prototype), { toISOString: () => 'own' }, new Date(NaN),
  ];
  for (const self of others) assert.deepEqual(call(quick, self), call(native, self));
  assert.deepEqual([quick.name, quick.length, 'prototype' in quick], [native.name, native.length, 'prototype' in native]);
  const { value: _, ...flags } = Object.getOwnPropertyDescriptor(Date.prototype, 'toJSON');
  assert.deepEqual(flags, { writable: true, enumerable: false, configurable: true });
});

test('what somebody makes of all dates counts', () => {
  const all = [['toISOString', () => 'theirs'], ['valueOf', () => Infinity], [Symbol.toPrimitive, () => NaN]];
  for (const [name, changed] of all) {
    const original = Object.getOwnPropertyDescriptor(Date.prototype, name);
    Object.defineProperty(Date.prototype, name, { ...original, value: changed });
    try {
      same(() => [new Date(0), new Late(0)]);
    } finally {
      Object.defineProperty(Date.prototype, name, original);
    }
  }
});

test('a text is the date that V8 makes of it', () => {
  const two = (below) => String(random(below)).padStart(2, '0');
  const found = { true: 0, false: 0 };
  for (let number = 0; number < 20000; number++) {
    const day = random(3) ? pick(['2026-02-28', '2024-02-29', '1999-12-31', '0000-01-01', '0099-01-01', '9999-12-31'])
      : `${two(100)}${two(100)}-${two(15)}-${two(35)}`;
    let text = `${day}T${two(random(5) ? 24 : 30)}:${two(random(5) ? 60 : 70)}:${two(random(5) ? 60 : 70)}.${random(10)}${two(100)}Z`;
    if (!random(3)) {
      const at = random(text.length);
      text = text.slice(0, at) + pick(['', ' ', '0', '9', '-', '+', ':', 'a', '٣', 'Z', '00']) + text.slice(at + random(2));
    }
    const made = timeOf(text);
    found[typeof made === 'number'] += 1;
    assert.equal(new Date(made).getTime(), new Date(text).getTime(), text);
  }
  assert.ok(found.true > 5000 && found.false > 2000, JSON.stringify(found));
});
