// Only the owner may change an item.
function update(item, user, request) {
    tables.current.where({ id: item.id, userId: user.userId }).read({
        success: function (results) {
            if (results.length === 0) {
                request.respond(statusCodes.NOT_FOUND, 'There is no such item of yours');
                return;
            }
            delete item.userId;
            request.execute();
        }
    });
}
