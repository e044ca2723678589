// What belongs to a row of another table.
module.exports = require('azure-mobile-apps').table({ columns: { name: 'string', parentId: 'string' } });
