// An object is kept as text, and is an object again to those who read.
const table = require('azure-mobile-apps').table();
table.columns = { name: 'string', address: 'string' };

const pack = (context) => {
    if (context.item.address !== undefined) context.item.address = JSON.stringify(context.item.address);
    return context.execute().then(unpack);
};
const unpack = (row) => {
    if (row.address) row.address = JSON.parse(row.address);
    return row;
};

table.insert(pack);
table.update(pack);
table.read(async (context) => {
    const found = await context.execute();
    if (Array.isArray(found)) found.forEach(unpack);
    else if (found) unpack(found);
    return found;
});

module.exports = table;
