const table = require('azure-mobile-apps').table();
const guard = require('../../lib/guard');
table.columns = { article: 'string', count: 'number' };
table.use(guard, table.execute);
module.exports = table;
