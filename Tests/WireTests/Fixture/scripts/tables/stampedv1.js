// The server's columns in what scripts ask for, by their names of that time.
function insert(item, user, request) {
    request.execute();
}

function del(id, user, request) {
    request.execute();
}

function read(query, user, request) {
    var how = request.parameters.how;
    var mine = tables.getTable('stampedv1');
    var answer = {
        success: function (rows) {
            request.respond(200, rows.map(function (row) {
                return row.id + (row.__createdAt ? ' made' : '') + (row.__version ? ' versioned' : '');
            }));
        }
    };
    if (how === 'newest') {
        query.orderByDescending('__createdAt').select('id', '__createdAt');
        request.execute(answer);
    } else if (how === 'own') {
        query.where(function (day) { return this.__updatedAt > day && this.text !== '__deleted'; }, new Date(0));
        request.execute(answer);
    } else if (how === 'since') {
        mine.where(function (day) { return this.__createdAt > day; }, new Date(0)).orderBy('__updatedAt').read(answer);
    } else if (how === 'later') {
        mine.where(function (day) { return this.__createdAt > day; }, new Date(9e12)).read(answer);
    } else if (how === 'version') {
        mine.where({ text: 'two' }).read({
            systemProperties: '__version',
            success: function (rows) {
                mine.where({ __version: rows[0].__version }).select('id,__version').read(answer);
            }
        });
    } else if (how === 'deleted') {
        mine.where({ __deleted: true }).includeDeleted().read(answer);
    } else if (how === 'sql') {
        mssql.query('SELECT id, __version FROM stampedv1 WHERE __deleted = 0 AND __createdAt > ? ORDER BY __updatedAt DESC',
            [new Date(0)], answer);
    } else {
        request.execute();
    }
}
