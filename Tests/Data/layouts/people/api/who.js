'use strict';

exports.get = (req, res) => res.json({ id: req.azureMobile.user.id, address: req.azureMobile.user.address ?? null });
exports.get.access = 'authenticated';

// By its rows: those of whoever the project has found.
exports.post = (req, res, next) => req.azureMobile.tables('mine').read().then((rows) => res.json(rows), next);
exports.post.access = 'authenticated';
