// Answers without any table.
function read(query, user, request) {
    request.respond(statusCodes.OK, [{ id: 1, name: 'first' }, { id: 2, name: 'second' }]);
}

function insert(item, user, request) {
    setTimeout(function () {
        request.respond(statusCodes.ACCEPTED, { queued: item.text, at: request.parameters.at });
    }, 10);
}

function update(item, user, request) {
    request.respond(statusCodes.OK, item);
}

function del(id, user, request) {
    request.respond(statusCodes.NO_CONTENT);
}
