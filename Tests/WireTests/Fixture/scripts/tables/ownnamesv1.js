// Columns of an app's own by names that are the server's without underscores, as one of the tutorials has it.
function insert(item, user, request) {
    item.createdAt = new Date();
    item.version = (item.version || 0) + 1;
    request.execute();
}

function update(item, user, request) {
    var mine = tables.getTable('ownnamesv1');
    mine.lookup(item.id, {
        success: function (row) {
            item.version = row.version + 1;
            row.updatedAt = row.createdAt;
            row.deleted = 'perhaps';
            mine.update(row, {
                success: function (row) {
                    request.execute();
                }
            });
        }
    });
}

function read(query, user, request) {
    var how = request.parameters.how;
    var mine = tables.getTable('ownnamesv1');
    var told = {
        success: function (rows) {
            request.respond(200, rows.map(function (row) {
                return [row.id, Boolean(row.createdAt && row.createdAt.getTime()), row.version, row.deleted, '__version' in row];
            }));
        }
    };
    if (how === 'asked') {
        mine.where(function (day) { return this.createdAt < day && this.version > 0; }, new Date(9e12))
            .where({ deleted: null }).orderBy('createdAt').select('id', 'createdAt', 'version', '__version').read(told);
    } else if (how === 'narrowed') {
        query.where({ deleted: 'perhaps', __deleted: false }).orderByDescending('version');
        request.execute();
    } else if (how === 'changed') {
        request.execute({
            success: function (rows) {
                rows.forEach(function (row) { row.version = 'v' + row.version; });
                request.respond(200, rows);
            }
        });
    } else if (how === 'sql') {
        mssql.query('UPDATE ownnamesv1 SET version = version + 10 WHERE deleted IS NULL AND __deleted = 0 '
            + 'AND createdAt > DATEADD(day, -30, createdAt)', {
            success: function () {
                mssql.query('SELECT * FROM ownnamesv1 WHERE version > ? ORDER BY createdAt', [10], {
                    success: function (rows) {
                        request.respond(200, [Object.keys(rows[0]).sort(), rows.length, rows[0].version]);
                    }
                });
            }
        });
    } else {
        request.execute();
    }
}
