// The server wins: whoever comes late is told what is there.
function update(item, user, request) {
    request.execute({
        conflict: function (serverItem) {
            request.respond(statusCodes.OK, serverItem);
        }
    });
}
