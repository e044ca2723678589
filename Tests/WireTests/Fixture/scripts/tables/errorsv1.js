// What the table refuses is looked at by the script.
function insert(item, user, request) {
    request.execute({
        success: function () { request.respond(); },
        error: function (error) {
            request.respond(statusCodes.CONFLICT, 'There is one already');
        }
    });
}

function update(item, user, request) {
    request.execute({
        error: function () { request.respond(statusCodes.NOT_FOUND, 'No such thing'); }
    });
}
