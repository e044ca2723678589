'use strict';

const table = require('azure-mobile-apps').table();

const own = (context) => {
  context.query.where({ owner: context.user.id });
  return context.execute();
};
table.access = 'authenticated';
table.columns = { owner: 'string', text: 'string' };
table.insert((context) => {
  context.item.owner = context.user.id;
  return context.execute();
});
table.read(own);
table.update(own);
table.delete(own);

module.exports = table;
