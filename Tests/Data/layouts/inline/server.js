// Everything in one file, behind a server of its own making, with guards around it.
var http = require('http');
var express = require('express');
var mobile = require('azure-mobile-apps')({ pageSize: 10 });
var app = express();

app.use(function (req, res, next) {
    if (req.get('X-Maintenance')) return res.status(503).json({ maintenance: true });
    next();
});
app.use('/tables/locked', function (req, res, next) {
    if (req.get('X-Key') !== 'sesame') return res.status(403).json({ error: 'locked' });
    next();
});
mobile.use(function (req, res, next) {
    if (req.query.fail) return next(new Error('mobile guard'));
    next();
});
mobile.tables.use(function (req, res, next) {
    if (req.get('X-No-Tables')) return res.status(409).json({ error: 'no tables' });
    next();
});
mobile.api.use(function (req, res, next) {
    if (req.get('X-No-Apis')) return res.status(410).json({ error: 'no apis' });
    next();
});

var notes = mobile.table();
notes.columns = { text: 'string', size: 'number' };
notes.insert(function (context) {
    if (!context.item.text) {
        var error = new Error('text is needed');
        error.badRequest = true;
        throw error;
    }
    return context.execute();
});
notes.delete.access = 'disabled';
notes.update.use(function (req, res, next) {
    if (req.body && req.body.size > 100) return res.status(413).json({ error: 'too large' });
    next();
}, notes.operation);
mobile.tables.add('notes', notes);
mobile.tables.add('locked', { columns: { text: 'string' }, seed: [{ id: 'l', text: 'treasure' }] });
mobile.tables.add('members', { access: 'authenticated', read: { authorize: false }, delete: { disable: true } });
mobile.tables.add('mine', { perUser: true, authorize: true, columns: { text: 'string' } });
mobile.api.add('square', {
    get: function (req, res) {
        var n = Number(req.query.n);
        if (isNaN(n)) return res.status(400).json({ error: 'n is no number' });
        res.json({ square: n * n });
    },
    post: [function (req, res, next) {
        if (!req.azureMobile.user) return res.status(401).json({ error: 'who are you' });
        next();
    }, function (req, res) { res.status(201).json({ by: req.azureMobile.user.id }); }]
});
app.use(mobile);
app.get('/health', function (req, res) { res.type('text').send('well'); });
app.use(function (req, res) { res.status(404).json({ nothing: req.path }); });
app.use(function (error, req, res, next) { res.status(500).json({ caught: error.message }); });

http.createServer(app).listen(process.env.PORT || 3000);
