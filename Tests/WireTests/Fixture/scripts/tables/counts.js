// What only scripts write.
var table = require('azure-mobile-apps').table({ columns: { value: 'number' } });
table.insert.access = table.update.access = table.delete.access = 'disabled';
module.exports = table;
