// Every row belongs to whoever made it.
var azureMobileApps = require('azure-mobile-apps');

var table = azureMobileApps.table();

table.columns = { text: 'string', complete: 'boolean', userId: 'string' };
table.access = 'authenticated';

table.insert(function (context) {
    context.item.userId = context.user.id;
    return context.execute();
});

table.read(function (context) {
    context.query.where({ userId: context.user.id });
    return context.execute();
});

table.update(function (context) {
    context.query.where({ userId: context.user.id });
    context.item.userId = context.user.id;
    return context.execute();
});

table.delete(function (context) {
    context.query.where({ userId: context.user.id });
    return context.execute();
});

module.exports = table;
