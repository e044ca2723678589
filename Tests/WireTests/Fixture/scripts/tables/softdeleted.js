// A row may be brought back by its owner only.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', userId: 'string' };
table.softDelete = true;
table.access = 'authenticated';

table.insert((context) => {
    context.item.userId = context.user.id;
    return context.execute();
});
table.undelete(async (context) => {
    const row = await context.tables('softdeleted').find(context.id, { includeDeleted: true });
    if (row && row.userId !== context.user.id) {
        context.res.status(403).send('Not yours');
        return;
    }
    return context.execute();
});

module.exports = table;
