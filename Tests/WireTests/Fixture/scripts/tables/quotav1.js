// Nobody has more than two.
var MOST = 2;

function insert(item, user, request) {
    item.userId = user.userId;
    tables.getTable('quotav1').where({ userId: user.userId }).includeTotalCount().take(0).read({
        success: function (rows) {
            if (rows.totalCount >= MOST) {
                request.respond(statusCodes.FORBIDDEN, 'You have ' + rows.totalCount + ' of ' + MOST);
            } else {
                request.execute();
            }
        }
    });
}
