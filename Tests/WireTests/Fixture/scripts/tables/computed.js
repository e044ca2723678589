// What no column holds is added to what is read.
const table = require('azure-mobile-apps').table();
table.columns = { title: 'string', price: 'number', amount: 'number' };

const withTotal = (row) => Object.assign(row, { total: row.price * row.amount });

table.read(async (context) => {
    const found = await context.execute();
    if (Array.isArray(found)) found.forEach(withTotal);
    else if (found) withTotal(found);
    return found;
});
table.insert((context) => context.execute().then(withTotal));

module.exports = table;
