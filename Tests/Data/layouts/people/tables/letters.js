'use strict';

// By what middleware has added to the user.

const table = require('azure-mobile-apps').table();

table.access = 'authenticated';
table.insert((context) => {
  context.item.sender = context.user.address;
  return context.execute();
});
table.read((context) => {
  context.query.where(function (senders) { return this.sender in senders; }, [context.user.address]);
  return context.execute();
});

module.exports = table;
