// Rows that belong to a row come in its list, and are kept in a table of their own.
const table = require('azure-mobile-apps').table();
table.columns = { name: 'string' };

table.insert(async (context) => {
    const children = context.item.children || [];
    delete context.item.children;
    const row = await context.execute();
    row.children = [];
    for (const name of children) {
        const child = await context.tables('child').insert({ name, parentId: row.id });
        row.children.push(child.name);
    }
    return row;
});
table.delete(async (context) => {
    await context.tables('child').delete({ parentId: context.id });
    return context.execute();
});

module.exports = table;
