// Half of it stands in a shared module.
const table = require('azure-mobile-apps').table();
const rules = require('../shared/rules');
table.columns = { email: 'string', zip: 'string' };
table.insert((context) => rules.check(context.item).then(() => context.execute()));
module.exports = table;
