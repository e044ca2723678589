// Lists by SQL with named parameters, single rows and writes as ever.
var table = require('azure-mobile-apps').table();
table.columns = { title: 'string', pages: 'number', lent: 'boolean' };

table.read(function (context) {
    var most = context.req.query.most;
    if (!most) return context.execute();
    return context.data.execute({
        sql: 'SELECT id, title FROM sqlbooks WHERE pages <= @most AND ISNULL(lent, 0) = 0 ORDER BY LEN(title), title',
        parameters: [{ name: 'most', value: Number(most) }]
    });
});

module.exports = table;
