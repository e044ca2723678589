// With a row go those that belong to it, and they come along when it is read.
function insert(item, user, request) {
    var lines = item.lines;
    delete item.lines;
    request.execute({
        success: function () {
            var table = tables.getTable('orderline');
            var left = lines ? lines.length : 0;
            if (left === 0) return request.respond();
            lines.forEach(function (line) {
                line.orderId = item.id;
                table.insert(line, {
                    success: function () {
                        left = left - 1;
                        if (left === 0) request.respond();
                    }
                });
            });
        }
    });
}

function read(query, user, request) {
    request.execute({
        success: function (results) {
            var list = results instanceof Array ? results : [results];
            var left = list.length;
            if (left === 0) return request.respond();
            list.forEach(function (order) {
                tables.getTable('orderline').where({ orderId: order.id }).orderBy('position').read({
                    success: function (lines) {
                        order.lines = lines.map(function (line) { return line.article; });
                        left = left - 1;
                        if (left === 0) request.respond();
                    }
                });
            });
        }
    });
}

function del(id, user, request) {
    var table = tables.getTable('orderline');
    table.where({ orderId: id }).read({
        success: function (lines) {
            var left = lines.length;
            if (left === 0) return request.execute();
            lines.forEach(function (line) {
                table.del(line.id, {
                    success: function () {
                        left = left - 1;
                        if (left === 0) request.execute();
                    }
                });
            });
        }
    });
}
