// A table's rules count for what other scripts do with it, too.
module.exports = {
    async get(req, res) {
        const table = req.azureMobile.tables('ruled');
        const results = [];
        for (const attempt of [
            () => table.orderBy('id').read(), () => table.find('i1'), () => table.find('i3'),
            () => table.insert({ id: 'i4', text: 'by an api' }), () => table.update({ id: 'i4', text: 'again' }),
            () => table.update({ id: 'i1', text: 'from elsewhere' }), () => table.update({ id: 'i3', text: 'seen' }),
            () => table.delete('i1'), () => table.delete({ id: 'i4', room: 'hall' }), () => table.delete({ text: 'again' }),
            () => table.undelete('i4'), () => table.undelete('i3'), () => table.truncate(),
            () => table.read(),
        ]) {
            try {
                const value = await attempt();
                results.push([value].flat().map((row) => (row ? `${row.id} ${row.room} ${row.text} ${row.size}` : String(row))));
            } catch (error) {
                results.push(error.concurrency ? 'concurrency' : error.message);
            }
        }
        res.json(results);
    },
    post(req, res) {
        res.json(require('../tables/ruled').lines.splice(0));
    },
};
