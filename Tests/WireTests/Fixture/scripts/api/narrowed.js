// What narrows an operation on another table is obeyed, and what tables don't know refused: the row is what it was.
var mobileApps = require('azure-mobile-apps');
var queries = mobileApps.queries;

/** What came of an attempt, in short. */
async function told(attempt) {
    try {
        const value = await attempt();
        const rows = [value].flat().map((row) => (row ? `${row.id}=${row.value}` : String(row)));
        return rows.join(' ');
    } catch (error) {
        const marks = ['concurrency', 'duplicate', 'notFound', 'badRequest'].filter((mark) => error[mark]);
        return [...marks, error.item ? `item ${error.item.id}` : '', error.message.slice(0, 50)].filter(Boolean).join(': ');
    }
}

async function tried(table, attempts) {
    await table.truncate();
    for (const id of ['a', 'b', 'c']) await table.insert({ id, value: 1, owner: id === 'a' ? 'x' : 'y' });
    const results = [];
    for (const attempt of attempts) results.push(await told(attempt));
    const rows = await table.where({}).orderBy('id').includeDeleted().read();
    return { results, rows: rows.map(({ id, value, deleted }) => `${id}=${value}${deleted ? ' deleted' : ''}`) };
}

module.exports = {
    // Refused, whatever they mean.
    async get(req, res) {
        const table = req.azureMobile.tables('counts');
        res.json(await tried(table, [
            () => table.update({ id: 'a', value: 2 }, 5), () => table.update({ id: 'a' }, { value: undefined }),
            () => table.delete({ id: 'a', value: {} }), () => table.delete(null), () => table.delete({}), () => table.delete([]),
            () => table.read([]), () => table.insert(), () => table.insert([{ id: 'd' }]), () => table.undelete({}),
            () => table.delete('a', null, { value: 9 }), () => table.truncate({ value: 9 }), () => table.find('a', { value: 9 }),
        ]));
    },
    // Obeyed: what the condition isn't true of stays as it is.
    async put(req, res) {
        const table = req.azureMobile.tables('narrowing');
        const of = (owner) => queries.create('narrowing').where({ owner });
        const { version } = await table.insert({ id: 'v', value: 0, owner: 'v' });
        res.json(await tried(table, [
            () => table.update({ id: 'a', value: 2 }, of('y')), () => table.update({ id: 'a', value: 3 }, of('x')),
            () => table.update({ id: 'a', value: 4, owner: 'z' }, { owner: 'X' }), () => table.update({ value: 5 }, of('z')),
            () => table.update({ id: 'nobody', value: 6 }), () => table.update({ id: 'a', value: 7, version }),
            () => table.update({ id: 'a', value: 8 }, function () { return this.value > 100; }),
            () => table.update({ id: 'a', value: 9 }, { nowhere: 1 }),
            () => table.find('a', of('x')), () => table.find('a', of('z')), () => table.find('nobody'),
            () => table.delete({ id: 'b', owner: 'x' }), () => table.delete({ id: 'nobody' }), () => table.delete({ owner: 'nobody' }),
            () => table.delete({ nowhere: 1 }), () => table.delete(of('z'), version), () => table.delete({ id: 'b' }, version),
            () => table.delete(function () { return this.value === 1; }), () => table.delete({ id: 'b', owner: 'y' }),
            () => table.undelete({ id: 'b', owner: 'x' }), () => table.undelete({ id: 'b', owner: 'y' }),
            () => table.undelete({ owner: 'y' }, version), () => table.undelete(of('y')), () => table.undelete('nobody'),
            () => table.insert({ id: 'b', value: 10 }),
        ]));
    },
    // The rows of the caller, of a table where each has their own.
    async post(req, res) {
        const table = req.azureMobile.tables('PerUser');
        const results = [];
        for (const attempt of [
            () => table.read(), () => table.find('k1'), () => table.update({ id: 'k1', text: 'changed' }), () => table.delete('k1'),
            () => table.delete({ text: 'tea!' }), () => table.insert({ id: req.query.id, text: 'milk', userId: 'sid:alice' }),
            () => table.where({ userId: 'sid:alice' }).read(), () => table.read(),
        ]) {
            try {
                const value = await attempt();
                results.push([value].flat().map((row) => (row ? `${row.id}: ${row.text} of ${row.userId}` : String(row))));
            } catch (error) {
                results.push(error.concurrency ? 'concurrency' : error.status ?? error.message);
            }
        }
        await table.truncate();
        res.json(results);
    },
    // Which tables there are, and what a table is by its definition.
    async patch(req, res) {
        const mobile = req.azureMobile;
        const results = [];
        for (const name of ['counts', 'COUNTS', 'nope', '', undefined, 'counts; DROP']) {
            try {
                results.push(typeof mobile.tables(name).read);
            } catch (error) {
                results.push(error.message);
            }
        }
        const byDefinition = await mobile.data(require('../tables/narrowing')).where({ id: 'zz' }).read();
        res.json({ results, byDefinition });
    },
};
