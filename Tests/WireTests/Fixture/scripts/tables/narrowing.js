// Rows that other scripts narrow what they do with.
var table = require('azure-mobile-apps').table();
table.columns = { value: 'number', owner: 'string' };
table.softDelete = true;
module.exports = table;
