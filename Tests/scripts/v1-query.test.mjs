// The queries of scripts of Mobile Services, as the server gets them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs } from './kit.mjs';

const { Query } = requireOurs('./query');
const { projecting, queryOf, systemOf } = requireOurs('./v1-query');

test('the server\'s columns go by its own names, and texts and other columns stay as they are', () => {
  const query = projecting(new Query('items'));
  query.where({ __createdAt: new Date(0), my__version: 1 }).where(function () { return this.text === "__deleted's"; });
  query.where('__DELETED eq false').orderBy('__updatedAt').orderByDescending('__version').select('id', '__createdAt');
  const { added, orderby, select } = query.toMessage();
  assert.deepEqual(added, [
    "(createdAt eq datetime'1970-01-01T00:00:00.000Z') and (my__version eq 1)", "(text eq '__deleted''s')",
    'deleted eq false',
  ]);
  assert.deepEqual([orderby, select], ['updatedAt,version desc', 'id,createdAt']);
  assert.match(query.filter, /__createdAt/);
  assert.deepEqual(systemOf(query), ['__createdAt']);
});

test('what a client has sent is not touched, but for columns beside which a script selects others', () => {
  const sent = { filter: '__deleted eq false', orderby: '__createdAt', select: 'id,__version' };
  const query = queryOf({ table: 'items', query: { ...sent, skip: null, top: null } });
  assert.deepEqual((({ own, orderby, select }) => ({ filter: own, orderby, select }))(query.toMessage()), sent);
  query.where({ __version: 'x' }).orderBy('__updatedAt').select('__createdAt');
  const { own, added, orderby, select } = query.toMessage();
  assert.deepEqual([own, added, orderby, select],
    [sent.filter, ["(version eq 'x')"], '__createdAt,updatedAt', 'id,version,createdAt']);
});

test('a query becomes what a script has made of its members', () => {
  const sent = { filter: 'a eq 1', orderby: 'b desc, c', select: null, skip: null, top: null, count: true };
  const same = queryOf({ table: 'items', query: { ...sent } });
  same.setComponents(same.getComponents());
  const { own, added, orderby, count } = same.toMessage();
  assert.deepEqual([own, added, orderby, count], ['a eq 1', [], 'b desc, c', true]);
  const other = queryOf({ table: 'items', query: { ...sent } });
  const components = other.getComponents();
  Object.assign(components, { take: 5, skip: 2, ordering: { __createdAt: false }, selections: ['id', 'a'] });
  components.filters = 'a eq 2';
  components.includeTotalCount = false;
  other.setComponents(components);
  assert.deepEqual((({ added, orderby, select, skip, top, count }) => [added, orderby, select, skip, top, count])(
    other.toMessage()), [['a eq 2'], 'createdAt desc', 'id,a', 2, 5, false]);
  assert.equal(other.toMessage().own, null);
});
