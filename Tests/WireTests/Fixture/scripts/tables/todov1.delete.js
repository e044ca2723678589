function del(id, user, request) {
    tables.getTable('todov1').lookup(id, {
        success: function (row) {
            if (!row) {
                request.respond(statusCodes.NOT_FOUND, 'There is no such row');
            } else if (row.userId !== user.userId) {
                request.respond(statusCodes.FORBIDDEN, 'Not yours');
            } else {
                request.execute();
            }
        },
        error: function () {
            request.respond(statusCodes.NOT_FOUND, 'There is no such row');
        }
    });
}
