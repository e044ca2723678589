// Every list comes with its number, asked for or not.
const table = require('azure-mobile-apps').table();
table.columns = { name: 'string' };

table.read((context) => {
    context.query.includeTotalCount();
    return context.execute();
});

module.exports = table;
