// What the APIs work on.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string', complete: 'boolean', priority: 'number' };
module.exports = table;
