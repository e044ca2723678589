// What one table can't say is asked of two.
function read(query, user, request) {
    var sql = 'SELECT TOP 10 s.points, p.name FROM score s JOIN player p ON p.id = s.playerId'
        + ' WHERE s.game = ? ORDER BY s.points DESC';
    mssql.query(sql, [request.parameters.game], {
        success: function (results) { request.respond(statusCodes.OK, results); },
        error: function (err) {
            console.error('no scores: ' + err.message);
            request.respond(statusCodes.INTERNAL_SERVER_ERROR, { error: 'There are no scores now' });
        }
    });
}
