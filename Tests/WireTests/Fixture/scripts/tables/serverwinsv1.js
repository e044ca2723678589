// Where two have changed a row, the server's stays.
function update(item, user, request) {
    request.execute({
        conflict: function (serverItem) {
            request.respond(statusCodes.OK, serverItem);
        }
    });
}
