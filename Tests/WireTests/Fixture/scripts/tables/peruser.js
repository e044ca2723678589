// The SDK's own rows per user, and a script besides.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string' };
table.perUser = true;
table.access = 'authenticated';
table.insert(function (context) {
    context.item.text = context.item.text + '!';
    return context.execute();
});
module.exports = table;
