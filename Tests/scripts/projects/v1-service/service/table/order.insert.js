// An order brings its lines along; they are rows of their own table.
function insert(item, user, request) {
    var lines = item.lines || [];
    delete item.lines;
    request.execute({
        success: function () {
            var table = tables.getTable('orderline');
            var left = lines.length;
            if (left === 0) return request.respond();
            for (i = 0; i < lines.length; i++) {
                lines[i].orderId = item.id;
                table.insert(lines[i], { success: inserted });
            }
            function inserted(line) {
                left--;
                if (left > 0) return;
                item.lines = lines.length;
                request.respond(statusCodes.CREATED, item);
            }
        }
    });
}
