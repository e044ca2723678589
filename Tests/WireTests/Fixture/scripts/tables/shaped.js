// The script has the say in order, number and columns.
const table = require('azure-mobile-apps').table();
table.columns = { name: 'string', age: 'number', secret: 'string' };

table.read((context) => {
    context.query.orderByDescending('age').orderBy('name').take(3).select('id', 'name', 'age');
    if (context.req.query.second) context.query.skip(3);
    return context.execute();
});

module.exports = table;
