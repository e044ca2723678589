// Where two have changed a row, counts are added up and texts joined.
const table = require('azure-mobile-apps').table();
table.columns = { notes: 'string', count: 'number' };

table.update(async (context) => {
    try {
        return await context.execute();
    } catch (error) {
        if (!error.concurrency) throw error;
        context.item.notes = error.item.notes + '; ' + context.item.notes;
        context.item.count = error.item.count + context.item.count;
        context.item.version = error.item.version;
        return context.execute();
    }
});

module.exports = table;
