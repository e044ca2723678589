// Arguments that would narrow what is done, but which tables don't know: each is refused, and the row is what it was.
var queries = require('azure-mobile-apps').queries;

module.exports = {
    async get(req, res) {
        const table = req.azureMobile.tables('counts');
        await table.truncate();
        await table.insert({ id: 'a', value: 1 });
        const tries = [
            () => table.update({ id: 'a', value: 2 }, queries.create('counts').where({ value: 9 })),
            () => table.delete({ id: 'a', value: 9 }),
            () => table.delete(table.where({ value: 1 }), 'AAAAAAAAAAE='),
            () => table.delete(null), () => table.delete({}), () => table.delete([]), () => table.read([]),
            () => table.insert(), () => table.undelete({ id: 'a', value: 9 }),
        ];
        const taken = [];
        for (const [index, attempt] of tries.entries()) {
            try {
                await attempt();
                taken.push(index);
            } catch (error) {
                // As it should be.
            }
        }
        const rows = await table.read();
        res.json({ taken, rows: rows.map((row) => ({ id: row.id, value: row.value })) });
    },
    // The rows of all users, of a table where each has their own.
    async post(req, res) {
        const told = [];
        try {
            req.azureMobile.tables('peruser');
            told.push('a table');
        } catch (error) {
            told.push(error.message.slice(0, 47));
        }
        for (const attempt of [
            (table) => table.read(), (table) => table.find('k1'), (table) => table.insert({ id: 'k9', text: 'x' }),
            (table) => table.update({ id: 'k1', text: 'x' }), (table) => table.delete('k1'), (table) => table.truncate(),
        ]) {
            try {
                await attempt(req.azureMobile.tables('PerUser'));
                told.push('done');
            } catch (error) {
                told.push(/the table is perUser/.test(error.message) ? 'perUser' : error.message);
            }
        }
        res.json(told);
    },
};
