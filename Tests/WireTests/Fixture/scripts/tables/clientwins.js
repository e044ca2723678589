// Where two have changed a row, the last one wins: the change is made again upon the version that is there.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string', count: 'number' };

table.update(function (context) {
    return context.execute().catch(function (error) {
        if (!error.concurrency) throw error;
        context.item.version = error.item.version;
        return context.execute();
    });
});

table.delete(async function (context) {
    try {
        return await context.execute();
    } catch (error) {
        if (!error.concurrency) throw error;
        context.version = error.item.version;
        return context.execute();
    }
});

module.exports = table;
