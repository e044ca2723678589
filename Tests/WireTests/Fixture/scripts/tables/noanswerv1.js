// A script that breaks in a callback, and one that answers twice.
function insert(item, user, request) {
    if (!item.twice) return request.execute();
    tables.getTable('noanswerv1').read({
        success: function (rows) {
            request.respond(201, { id: item.id, first: true });
            request.respond(400, 'second');
        }
    });
}
function update(item, user, request) {
    request.execute({
        success: function () {
            item.nothing.there = 1;
            request.respond();
        }
    });
}
