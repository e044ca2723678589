// The older words for levels.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string' };
table.insert.authorize = true;
table.update.disable = true;
table.read(function (context) { return context.execute(); });
table.read.access = 'authenticated';
module.exports = table;
