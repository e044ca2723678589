// What a script is asked for stands in a field of the answer.
var table = require('azure-mobile-apps').table();
table.read(function (context) {
    var query = context.req.query;
    var inURL = context.req.originalUrl.indexOf('filter=') > 0;
    context.res.set('X-Asked', [query.own, query.$filter.length, query.$orderby, inURL].join(' '));
    return context.execute();
});
module.exports = table;
