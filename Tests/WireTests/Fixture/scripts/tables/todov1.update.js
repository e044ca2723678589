function update(item, user, request) {
    var todos = tables.getTable('todov1');
    todos.where({ id: item.id, userId: user.userId }).read({
        success: function (found) {
            if (found.length === 0) {
                request.respond(statusCodes.NOT_FOUND);
                return;
            }
            delete item.userId;
            request.execute();
        },
        error: function (error) {
            request.respond(statusCodes.INTERNAL_SERVER_ERROR, error);
        }
    });
}
