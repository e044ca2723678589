// Ids are the script's, made of what the row holds; and what it has done is not returned, which is no harm.
var table = require('azure-mobile-apps').table();
table.columns = { country: 'string', number: 'number' };

table.insert(function (context) {
    context.item.id = context.item.country.toLowerCase() + '-' + context.item.number;
    context.execute();
});
table.update(function (context) {
    if (context.item.country) context.item.country = context.item.country.toUpperCase();
    return context.next();
});

module.exports = table;
