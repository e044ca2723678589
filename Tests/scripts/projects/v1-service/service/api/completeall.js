// Everything is done: one statement instead of many.
exports.post = function (request, response) {
    var sql = 'UPDATE todoitem SET complete = 1 WHERE complete = 0 AND userId = ?; SELECT @@ROWCOUNT AS count';
    request.service.mssql.query(sql, [request.user.userId], {
        success: function (results) {
            // The first one is that of the update, which has no rows.
            if (results.length === 1) response.send(200, { count: results[0].count });
        }
    });
};
