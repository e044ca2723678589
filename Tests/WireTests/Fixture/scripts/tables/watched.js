// What stands before and behind every operation.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string', by: 'string' };

function needsName(req, res, next) {
    if (!req.get('x-device')) return res.status(403).json({ error: 'Which device?' });
    next();
}

function marks(req, res, next) {
    res.set('X-Watched', req.azureMobile.operation || req.method.toLowerCase());
    next();
}

table.use(needsName, table.operation, marks);

table.insert(function (context) {
    context.item.by = context.req.get('X-Device');
    return context.execute();
});

module.exports = table;
