// Each insert makes a counter in another table grow, which may not be there yet.
var table = require('azure-mobile-apps').table();
table.columns = { kind: 'string', number: 'number' };

table.insert(function (context) {
    var counts = context.tables('counts');
    return counts.find(context.item.kind).then(function (row) {
        if (!row) return counts.insert({ id: context.item.kind, value: 1 });
        row.value = row.value + 1;
        return counts.update(row);
    }).then(function (row) {
        context.item.number = row.value;
        return context.execute();
    });
});

module.exports = table;
