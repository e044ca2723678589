function insert(item, user, request) {
    function done(result) { request.respond(200, { result: result }); }
    function failed(error) { request.respond(500, { error: error.message }); }
    var both = { success: done, error: failed };
    switch (item.how) {
        case 'no values': return mssql.query('SELECT 1', both);
        case 'one value': return mssql.query('SELECT ?', item.text, both);
        case 'values': return mssql.query('SELECT ?, ?', [item.text, undefined], both);
        case 'null': return mssql.query('SELECT 1', null, both);
        case 'raw': return mssql.queryRaw('SELECT 1', both);
        case 'node': return mssql.query('SELECT ?', [1], function (err, rows) { err ? failed(err) : done(rows); });
        case 'open': return mssql.open(function (err, connection) { connection.query('SELECT 1', both); });
    }
}
