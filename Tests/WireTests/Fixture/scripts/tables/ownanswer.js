// Answers that are no rows of any table.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string' };

table.read((context) => {
    if (context.id) return { id: context.id, text: 'made up for ' + context.id };
    return [{ id: 'a', text: 'first' }, { id: 'b', text: 'second' }];
});
table.insert((context) => {
    context.res.status(202).set('X-Queue', 'later').json({ queued: context.item.text });
});
table.delete(() => undefined);

module.exports = table;
