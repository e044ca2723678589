// Where two have changed a row, what the server has stays, and the client gets it as if it had been saved.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string', count: 'number' };

table.update(function (context) {
    return context.execute().catch(function (error) {
        if (error.concurrency) return error.item;
        throw error;
    });
});

module.exports = table;
