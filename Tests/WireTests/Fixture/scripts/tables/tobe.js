// Columns that no row has had yet: a fresh service finds nothing by them, and begins.
var table = require('azure-mobile-apps').table();
var picks = {
    where: function (c) { c.query.where({ later: 'x' }); },
    less: function (c) { c.query.where(function () { return this.later !== 'x'; }); },
    order: function (c) { c.query.orderBy('later'); },
    select: function (c) { c.query.select('id', 'later'); },
    counted: function (c) { c.query.where({ later: 'x' }).includeTotalCount(); },
    looked: function (c) { c.query.where({ later: 'x' }); c.looks = true; },
    other: function (c) { return c.tables('tobe').where({ later: 'x' }).orderBy('later').select('later').read(); },
};
table.read(function (context) {
    var given = context.req.query.pick ? picks[context.req.query.pick](context) : undefined;
    if (given) return given;
    if (context.looks) return context.execute().then(function (rows) { return [{ id: 'looked', rows: rows.length }]; });
    return context.execute();
});
// Find or insert.
table.insert(function (context) {
    return context.tables('tobe').where({ later: context.item.later }).read().then(function (rows) {
        return rows.length ? rows[0] : context.execute();
    });
});
module.exports = table;
