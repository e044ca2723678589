// Written by the server only.
const table = require('azure-mobile-apps').table();
table.columns = { action: 'string', rowId: 'string', text: 'string' };
table.insert.access = 'disabled';
table.update.access = 'disabled';
table.delete.access = 'disabled';
table.read((context) => {
    context.query.orderBy('action').orderBy('rowId').select('action', 'rowId', 'text');
    return context.execute();
});
module.exports = table;
