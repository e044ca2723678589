// A conflict is looked at, and told in words of the script's own where the row is locked.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', locked: 'boolean' };

table.update((context) => context.execute().then(
    (row) => row,
    (error) => {
        if (error.concurrency && error.item.locked) {
            context.res.status(423).json({ error: 'locked', by: error.item.text });
            return;
        }
        throw error;
    }
));

module.exports = table;
