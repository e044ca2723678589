// Only what is known is kept: the item is another one by then.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string', size: 'number' };

table.insert(function (context) {
    context.item = { id: context.item.id, text: String(context.item.text), size: String(context.item.text).length };
    return context.execute();
});
table.update(function (context) {
    context.item = { id: context.id, text: context.item.text };
    return context.execute();
});

module.exports = table;
