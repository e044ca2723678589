// One row of a table is read, one that is there and one that isn't.
function insert(item, user, request) {
    tables.getTable('apitodo').lookup(item.other, {
        success: function (row) {
            item.text = row ? row.text : 'there is none';
            request.execute();
        },
        error: function (error) {
            item.text = 'there is none';
            request.execute();
        }
    });
}
function update(item, user, request) {
    tables.current.where({ id: item.id }).read({
        success: function (rows) {
            item.before = rows[0].text;
            request.execute();
        }
    });
}
