'use strict';

// Who asks is found out by the project itself: by keys of its own, by what the login said, or not at all.

const express = require('express');
const azureMobileApps = require('azure-mobile-apps');

const app = express();
const mobile = azureMobileApps({ skipVersionCheck: true });
const owners = { 'key-of-ann': { id: 'ann', claims: { team: 'east' } }, 'key-of-bob': { id: 'bob' } };

app.use((req, res, next) => {
  req.user = owners[req.get('x-api-key')];
  next();
});
const take = (req, res, next) => {
  if (req.user) req.azureMobile.user = req.user;
  if (req.get('x-forget')) req.azureMobile.user = undefined;
  next();
};
mobile.tables.use(take);
mobile.api.use(take);
mobile.use(require('./lib/identity'));
mobile.tables.import('./tables');
mobile.api.import('./api');
app.use(mobile);
app.listen(process.env.PORT || 3000);
