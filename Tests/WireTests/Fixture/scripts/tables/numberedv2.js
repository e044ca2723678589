// Ids are numbers of the database.
const table = require('azure-mobile-apps').table();
table.autoIncrement = true;
table.columns = { title: 'string' };
table.insert(async (context) => {
    const row = await context.execute();
    row.label = '#' + row.id;
    return row;
});
module.exports = table;
