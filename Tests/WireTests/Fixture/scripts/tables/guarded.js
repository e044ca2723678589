// Each operation for somebody else.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string' };

table.read.access = 'anonymous';
table.insert.access = 'authenticated';
table.update.access = 'authenticated';
table.delete.access = 'disabled';

module.exports = table;
