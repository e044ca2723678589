// What is older than what is there is not taken.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', taken: 'date' };

table.update(async (context) => {
    const row = await context.tables('newest').find(context.id);
    if (row && row.taken && new Date(context.item.taken) <= row.taken) {
        const error = new Error('There is a newer one');
        error.status = 409;
        throw error;
    }
    return context.execute();
});

module.exports = table;
