// Names of columns and rows as arrays, over a connection.
exports.get = function (request, response) {
    mssql.open({
        success: function (connection) {
            connection.queryRaw('SELECT name, score FROM sqlscores WHERE name LIKE ? ORDER BY name', [request.query.like], {
                success: function (results) {
                    connection.close();
                    response.send(200, { columns: results.meta.map(function (column) { return column.name; }), rows: results.rows });
                },
                error: function (error) { response.send(500, { error: error.message }); }
            });
        }
    });
};

exports.delete = function (request, response) {
    mssql.query('DELETE FROM sqlscores WHERE score < ?', [Number(request.query.below)], {
        success: function () { response.send(200, { gone: true }); }
    });
};
