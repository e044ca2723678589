// Filters, transforms and hooks of the SDK's definitions: each room sees its own, and everything done leaves a line.
var table = require('azure-mobile-apps').table();
table.columns = { room: 'string', text: 'string', size: 'number' };
table.softDelete = true;
table.filters = [
    function (query, context) {
        var room = context.req.get('X-Room');
        if (room) return query.where({ room: room });
    },
    function (query) { return query.where(function () { return this.text !== 'hidden'; }); },
];
table.transforms = [
    function (item, context) { item.room = item.room || context.req.get('X-Room') || 'hall'; },
    function (item) { return item.text ? Object.assign({}, item, { size: item.text.length }) : item; },
];
table.hooks = [
    function (results, context) {
        var what = Array.isArray(results) ? results.length : results.id;
        module.exports.lines.push(context.operation + ' ' + what);
    },
];
module.exports = table;
module.exports.lines = [];
