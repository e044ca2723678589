// The queries of scripts of Mobile Services, as the server gets them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOurs } from './kit.mjs';

const { Query } = requireOurs('./query');
const { elsewhere, projecting, queryOf, systemOf } = requireOurs('./v1-query');

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

test('names without underscores are the app\'s own, and the server has others for them', () => {
  const query = projecting(new Query('items'));
  query.where({ createdAt: new Date(0) }).where(function () { return this.Version === 'deleted' && this.my_deleted; });
  query.where('deleted eq true and __deleted eq false').orderBy('updatedAt', '__updatedAt').select('version', '__version');
  const { added, orderby, select } = query.toMessage();
  assert.deepEqual(added, [
    "(__own_createdAt eq datetime'1970-01-01T00:00:00.000Z')", "((__own_Version eq 'deleted') and my_deleted)",
    '__own_deleted eq true and deleted eq false',
  ]);
  assert.deepEqual([orderby, select], ['__own_updatedAt,updatedAt', '__own_version,version']);
  assert.deepEqual(systemOf(query), ['__version']);
});

test('what a later client has sent has the names of Mobile Services to a script, and its own to the server', () => {
  const sent = { filter: "updatedAt ge 'deleted' and __own_version eq 'x'", orderby: 'createdAt', select: 'id,version' };
  const query = queryOf({ table: 'items', generation: 'v2', query: { ...sent, skip: null, top: null } });
  assert.deepEqual((({ own, orderby, select }) => ({ filter: own, orderby, select }))(query.toMessage()), sent);
  assert.equal(query.filter, "__updatedAt ge 'deleted' and version eq 'x'");
  query.orderBy('createdAt').select('createdAt');
  query.setComponents({ filters: `(${query.filter}) and deleted eq 1` });
  const { own, added, orderby, select } = query.toMessage();
  assert.deepEqual([own, added], [null, ["(updatedAt ge 'deleted' and __own_version eq 'x') and __own_deleted eq 1"]]);
  assert.deepEqual([orderby, select], ['createdAt,__own_createdAt', 'id,version,__own_createdAt']);
});

test('an order that only begins as the client\'s is the script\'s own', () => {
  const orderOf = (generation, sent, ordering) => {
    const query = queryOf({ table: 'items', generation, query: { orderby: sent } });
    query.setComponents({ ...query.getComponents(), ordering });
    return query.toMessage().orderby;
  };
  assert.equal(orderOf('v1', 'createdAt', { createdAt: false }), '__own_createdAt desc');
  assert.equal(orderOf('v1', 'createdAt', { createdAt: true, __createdAt: false }), 'createdAt,createdAt desc');
  assert.equal(orderOf('v2', 'version', { __version2: true }), '__version2');
});

test('a copy of a query has the same names, and what its original had of the client', () => {
  const made = projecting(new Query('items')).where({ createdAt: 'x', __deleted: false }).copy();
  assert.deepEqual(made.orderBy('version').toMessage().added, ["(__own_createdAt eq 'x') and (deleted eq false)"]);
  assert.equal(made.copy().toMessage().orderby, '__own_version');
  const sent = { filter: 'deleted eq false', orderby: 'createdAt', select: 'id' };
  const query = queryOf({ table: 'items', rowID: 'a', query: { ...sent } });
  const copy = query.copy();
  copy.setComponents(copy.getComponents());
  assert.deepEqual((({ own, orderby, select }) => ({ filter: own, orderby, select }))(copy.toMessage()), sent);
  copy.where({ version: 1 }).select(function () { return this.version; });
  assert.deepEqual([copy.toMessage().added, copy.toMessage().select], [['(__own_version eq 1)'], 'id,__own_version']);
  assert.deepEqual([query.toMessage().added, query.projection, copy.id], [[], undefined, 'a']);
});

test('a client\'s query that goes to another table has all its names as the server has them', () => {
  const sent = { filter: "deleted eq false and __deleted eq false and text eq 'deleted'", orderby: 'createdAt,__version desc' };
  const query = queryOf({ table: 'items', query: { ...sent, select: 'version,__updatedAt' } });
  query.where({ updatedAt: 1 });
  const { own, added, orderby, select } = elsewhere(query).copy().toMessage();
  assert.deepEqual([own, added], [
    "__own_deleted eq false and deleted eq false and text eq 'deleted'", ['(__own_updatedAt eq 1)'],
  ]);
  assert.deepEqual([orderby, select], ['__own_createdAt,version desc', '__own_version,updatedAt']);
  assert.equal(query.toMessage().own, sent.filter);
  const later = { filter: '__own_deleted eq deleted', orderby: 'version' };
  const other = elsewhere(queryOf({ table: 'items', generation: 'v2', query: later })).toMessage();
  assert.deepEqual([other.own, other.orderby], [later.filter, later.orderby]);
});
