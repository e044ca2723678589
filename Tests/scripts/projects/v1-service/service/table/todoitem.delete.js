function del(id, user, request) {
    var todos = tables.getTable('todoitem');
    todos.lookup(id, {
        success: function (found) {
            if (found.userId !== user.userId) request.respond(statusCodes.FORBIDDEN, 'It is not yours');
            else request.execute();
        },
        error: function () {
            request.respond(statusCodes.NOT_FOUND);
        }
    });
}
