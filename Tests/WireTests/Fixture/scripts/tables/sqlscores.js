// The best three, by SQL of the old service.
function read(query, user, request) {
    if (!request.parameters.best) return request.execute();
    mssql.query('SELECT TOP 3 name, score FROM sqlscores ORDER BY score DESC, name', {
        success: function (results) { request.respond(statusCodes.OK, results); },
        error: function (error) { request.respond(500, error); }
    });
}

function insert(item, user, request) {
    // A name has one row: what is there grows, a new one is made.
    mssql.query('SELECT COUNT(*) AS number FROM sqlscores WHERE name = ?', [item.name], {
        success: function (results) {
            if (results[0].number === 0) return request.execute();
            mssql.query('UPDATE sqlscores SET score = score + ? WHERE name = ?', [item.score, item.name], {
                success: function () { request.respond(statusCodes.OK, { name: item.name, added: item.score }); }
            });
        }
    });
}
