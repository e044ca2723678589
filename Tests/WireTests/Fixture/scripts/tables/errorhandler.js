// Middleware of four arguments takes errors of the operation.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string' };

table.insert(function (context) {
    if (context.item.text === 'bad') throw new Error('bad text');
    return context.execute();
});
table.use(table.operation, function (error, req, res, next) {
    if (error.message === 'bad text') return res.status(422).json({ error: 'caught: ' + error.message });
    next(error);
});

module.exports = table;
