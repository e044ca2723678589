// Every change leaves a line in another table.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string' };

const note = (action) => async (context) => {
    const row = await context.execute();
    await context.tables('changelog').insert({ action, rowId: row.id, text: row.text });
    return row;
};

table.insert(note('insert'));
table.update(note('update'));
table.delete(note('delete'));

module.exports = table;
