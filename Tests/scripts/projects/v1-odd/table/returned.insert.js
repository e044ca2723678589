var accept = require('../shared/accept');

function insert(item, user, request) {
    var other = tables.getTable('other');
    if (item.how === 'fine') return other.read({ success: function () { accept(request); } });
    return other.del('missing');
}
