// A name is looked at in three statements, one within the other; the parameters are values, whatever they hold.
function insert(item, user, request) {
    var seen = 'SELECT id, level FROM sqllog WHERE message = ? AND level IN (?, ?)';
    mssql.query(seen, [item.message, 'error', 'fatal'], {
        success: function (found) {
            if (found.length > 0) {
                mssql.query("UPDATE sqllog SET times = ISNULL(times, 1) + 1 WHERE id = ?", [found[0].id], {
                    success: function () {
                        mssql.query('SELECT message, times FROM sqllog WHERE id = ?', [found[0].id], {
                            success: function (rows) { request.respond(statusCodes.OK, rows[0]); }
                        });
                    }
                });
                return;
            }
            item.times = 1;
            request.execute();
        }
    });
}
