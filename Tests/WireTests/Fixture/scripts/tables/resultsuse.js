// Middleware behind the operation changes what it gave.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string', secret: 'string' };

table.read.use([table.operation, function (req, res, next) {
    var rows = Array.isArray(res.results) ? res.results : [res.results];
    rows.forEach(function (row) {
        delete row.secret;
        row.length = row.text.length;
    });
    next();
}]);
table.insert.use(function (req, res, next) {
    req.azureMobile.item.secret = 'by middleware';
    next();
}, table.operation);

module.exports = table;
