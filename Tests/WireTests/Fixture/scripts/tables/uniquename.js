// A name is taken once, whatever its letters.
var table = require('azure-mobile-apps').table();
var queries = require('azure-mobile-apps/src/query');
table.columns = { name: 'string' };

table.insert(function (context) {
    var query = queries.create('uniquename').where(function (name) {
        return this.name.toLowerCase() === name;
    }, context.item.name.toLowerCase()).take(1);
    return context.tables('uniquename').read(query).then(function (found) {
        if (found.length === 0) return context.execute();
        var error = new Error(context.item.name + ' is taken');
        error.duplicate = true;
        throw error;
    });
});

module.exports = table;
