// Who is in which group.
var table = require('azure-mobile-apps').table();
table.columns = { userId: 'string', groupId: 'string' };
module.exports = table;
