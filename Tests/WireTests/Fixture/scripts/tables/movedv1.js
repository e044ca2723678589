// A change of one row changes others: the rest of a list moves down.
function update(item, user, request) {
    var table = tables.getTable('movedv1');
    table.where(function (position, id) {
        return this.position >= position && this.id !== id;
    }, item.position, item.id).read({
        success: function (rows) { next(rows); }
    });

    function next(rows) {
        var row = rows.shift();
        if (!row) return request.execute();
        row.position = row.position + 1;
        table.update(row, { success: function () { next(rows); } });
    }
}
