function update(item, user, request) {
    tables.getTable('todoitem').where({ id: item.id, owner: user.userId }).read({
        success: function (rows) {
            if (rows.length === 0) return request.respond(statusCodes.FORBIDDEN, 'not yours');
            request.execute();
        }
    });
}
