// Nobody has more than two.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', userId: 'string' };
table.access = 'authenticated';
table.softDelete = true;

table.insert(async (context) => {
    const mine = await context.tables('limited').where({ userId: context.user.id }).read();
    if (mine.length >= 2) {
        const error = new Error('You have 2 of 2');
        error.status = 403;
        throw error;
    }
    context.item.userId = context.user.id;
    return context.execute();
});

module.exports = table;
