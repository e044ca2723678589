var most = 3;

function insert(item, user, request) {
    tables.current.where({ userId: user.userId }).take(0).includeTotalCount().read({
        success: function (results) {
            if (results.totalCount >= most) {
                request.respond(statusCodes.FORBIDDEN, 'No more than ' + most);
            } else {
                item.userId = user.userId;
                request.execute();
            }
        }
    });
}
