// Nothing is deleted: it is marked, and no list has it.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', archived: 'boolean' };

table.delete((context) => context.tables('archived').update({ id: context.id, archived: true }));
table.read((context) => {
    if (context.req.query.all !== 'true') context.query.where('archived ne true');
    return context.execute();
});

module.exports = table;
