// Whether a script has changed what the server gave it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs } from './kit.mjs';

const { copyOf, noteOf, sameValue } = requireOurs('./changes');

/** Numbers that look random and are the same each time. */
let seed = 20260730;
function random(below) {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

const pick = (values) => values[random(values.length)];
const named = (object, name, value) => (
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true }));

function member(depth) {
  switch (random(depth > 2 ? 6 : 8)) {
    case 0: return pick([null, undefined, true, false, '', 'text', '0']);
    case 1: return pick([0, -0, NaN, 1, 1.5, 2 ** 53, 10n]);
    case 2: case 3: return new Date(pick([0, 1, NaN, 1764265443994]));
    case 4: return pick([Math.max, Symbol.iterator, Object('a'), new Map([[1, 2]])]);
    case 5: return random(3);
    case 6: return list(depth + 1);
    default: return row(depth + 1);
  }
}

function row(depth) {
  const made = random(6) ? {} : Object.create(pick([null, { inherited: 1 }]));
  for (let number = random(5); number > 0; number--) {
    named(made, pick(['id', 'a', 'b', '1', '__proto__', 'toString']), random(3) ? random(3) : member(depth));
  }
  return random(5) ? made : Object.freeze(made);
}

function list(depth) {
  const made = Array.from({ length: random(4) }, () => (random(5) ? row(depth) : member(depth)));
  if (!random(8)) made.length += 1;
  if (!random(8)) made.totalCount = 3;
  return made;
}

/** Does to a list what a script may do, where it can. */
function change(made) {
  const one = made[random(made.length)];
  const isRow = typeof one === 'object' && one !== null;
  switch (random(11)) {
    case 0: made.push(row(0)); break;
    case 1: made.pop(); break;
    case 2: made.reverse(); break;
    case 3: made[random(made.length + 1)] = member(0); break;
    case 4: made[0] = isRow ? { ...one } : one; break;
    case 5: if (isRow && !Object.isFrozen(one)) one.id = member(0); break;
    case 6: if (isRow && !Object.isFrozen(one)) Reflect.deleteProperty(one, Object.keys(one)[0]); break;
    case 7: if (isRow) for (const value of Object.values(one)) if (value instanceof Date) value.setTime(pick([0, 1])); break;
    case 8: made.totalCount = random(2); break;
    case 9: if (isRow && !Object.isFrozen(one)) Object.defineProperty(one, 'id', { get: () => 1, configurable: true }); break;
    default:
  }
}

test('what was noted is the same as a copy would be', () => {
  const found = { true: 0, false: 0 };
  for (let number = 0; number < 20000; number++) {
    const made = pick([list, list, list, row, member])(0);
    const [copy, note] = [copyOf(made), noteOf(made)];
    assert.equal(sameValue(note, made), sameValue(copy, made));
    if (Array.isArray(made)) change(made);
    const said = sameValue(copy, made);
    found[said] += 1;
    assert.equal(sameValue(note, made), said);
    const other = pick([list, row, member])(0);
    assert.equal(sameValue(note, other), sameValue(copy, other));
  }
  assert.ok(found.true > 2000 && found.false > 2000, JSON.stringify(found));
});

test('a row with a member that is shown no more is another', () => {
  const made = [{ id: 'a', secret: 1 }];
  const note = noteOf(made);
  Object.defineProperty(made[0], 'secret', { enumerable: false });
  made[0].extra = 2;
  assert.equal(sameValue(note, made), false);
  assert.equal(sameValue([{ id: 'a', secret: 1 }], made), false);
});
