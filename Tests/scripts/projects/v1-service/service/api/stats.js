// Raw rows by a connection of one's own, as the driver had them.
exports.get = function (request, response) {
    request.service.mssql.open({
        success: function (connection) {
            connection.queryRaw('SELECT game, COUNT(*) AS plays FROM score GROUP BY game', function (err, raw) {
                connection.close();
                if (err) return response.send(500, { error: 'There are no figures' });
                response.send(200, { columns: raw.meta.map(function (c) { return c.name; }), rows: raw.rows });
            });
        }
    });
};
