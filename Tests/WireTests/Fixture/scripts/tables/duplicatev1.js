// A name is taken once.
function insert(item, user, request) {
    var people = tables.getTable('duplicatev1');
    people.where({ name: item.name }).take(1).read({
        success: function (found) {
            if (found.length > 0) {
                request.respond(statusCodes.CONFLICT, 'The name ' + item.name + ' is taken');
            } else {
                request.execute();
            }
        }
    });
}
