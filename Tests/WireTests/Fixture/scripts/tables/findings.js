// Queries that are made by hand: of another table, in parts, with a count and a page.
const azure = require('azure-mobile-apps');
const table = azure.table();
table.columns = { title: 'string', found: 'number', names: 'string' };

table.insert(async (context) => {
    const query = azure.query.create('apitodo')
        .where('priority gt ?', 1)
        .where(function (text) { return this.text.startsWith(text) || this.complete === true; }, context.item.title)
        .orderByDescending('priority').skip(1).take(2).select('text').includeTotalCount();
    const rows = await context.tables('apitodo').read(query);
    context.item.found = rows.totalCount;
    context.item.names = rows.map((row) => Object.keys(row).join() + ':' + row.text).join(' ');
    return context.execute();
});

module.exports = table;
