// What stands before one operation only, and one that goes wrong.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', hidden: 'boolean' };

table.read.use((req, res, next) => {
    if (req.query.broken) return next(new Error('out of order'));
    req.azureMobile.query.where({ hidden: false });
    next();
});
table.delete.use(function (req, res, next) {
    const error = new Error('Keep it');
    error.status = 405;
    next(error);
});

module.exports = table;
