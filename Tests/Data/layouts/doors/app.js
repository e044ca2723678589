'use strict';

// Guards of paths, verbs, bodies and answers, and a mobile app that stands behind a door of its own.

const express = require('express');
const azureMobileApps = require('azure-mobile-apps');

const app = express();
const front = azureMobileApps({ skipVersionCheck: true });
const back = azureMobileApps({ skipVersionCheck: true });
const refuse = (req, res) => res.status(403).json({ guard: req.method });

app.use('/tables/keys', refuse);
app.use('/api/hidden', refuse);
app.get('/tables/notes/:id', refuse);
app.patch('/tables/notes/:id', refuse);
app.use('/tables/roles', express.json(), (req, res, next) => (req.body.text === 'admin' ? refuse(req, res) : next()));
app.use('/tables/roles', (req, res, next) => (req.query.$filter ? refuse(req, res) : next()));
app.use('/tables/hushed', (req, res, next) => {
  const { send } = res;
  res.send = (body) => send.call(res, typeof body === 'string' ? body.replace(/secret/g, 'hushed') : body);
  next();
});
app.use('/back', (req, res, next) => (req.get('x-pass') ? next() : refuse(req, res)), back);

const columns = { columns: { text: 'string' } };
for (const name of ['keys', 'notes', 'roles', 'hushed']) front.tables.add(name, columns);
front.api.add('hidden', { get: (req, res) => res.json({ hidden: true }) });
back.tables.add('vault', columns);
app.use(front);
app.listen(process.env.PORT);
