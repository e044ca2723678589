// Rows that were deleted come back by who knows them.
function del(id, user, request) {
    request.execute({
        success: function () {
            console.log('gone: ' + id);
            request.respond();
        }
    });
}

function undelete(id, user, request) {
    if (request.parameters.sure !== 'yes') {
        request.respond(statusCodes.BAD_REQUEST, 'Are you sure?');
        return;
    }
    request.execute();
}
