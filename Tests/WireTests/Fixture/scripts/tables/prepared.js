// Defaults and tidying before a row is kept.
const table = require('azure-mobile-apps').table();
table.columns = { title: 'string', slug: 'string', priority: 'number', done: 'boolean', tags: 'string' };

function tidy(item) {
    if (typeof item.title === 'string') {
        item.title = item.title.trim();
        item.slug = item.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    }
    if (Array.isArray(item.tags)) item.tags = item.tags.join(',');
    delete item.draft;
}

table.insert((context) => {
    tidy(context.item);
    if (context.item.priority === undefined) context.item.priority = 3;
    context.item.done = context.item.done || false;
    return context.execute();
});
table.update((context) => {
    tidy(context.item);
    return context.execute();
});

module.exports = table;
