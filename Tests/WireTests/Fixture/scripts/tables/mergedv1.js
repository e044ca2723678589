// Where two have changed a row, it is put together; or told, where that can't be.
function update(item, user, request) {
    request.execute({
        systemProperties: ['__version'],
        success: function (results) {
            request.respond();
        },
        conflict: function (serverItem) {
            if (serverItem.locked) {
                request.respond(statusCodes.PRECONDITION_FAILED, { locked: true, by: serverItem.notes });
                return;
            }
            item.notes = serverItem.notes + '; ' + item.notes;
            item.__version = serverItem.__version;
            request.execute({
                success: function () { request.respond(statusCodes.OK); },
                error: function (error) { request.respond(500, error); }
            });
        }
    });
}
