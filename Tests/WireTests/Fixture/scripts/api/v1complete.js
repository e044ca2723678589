// All that is open is done, with the tables of the service.
exports.post = function (request, response) {
    var table = request.service.tables.getTable('apitodo');
    table.where({ complete: false }).read({
        success: function (open) {
            var left = open.length;
            var count = left;
            if (left === 0) return response.send(200, { count: 0 });
            open.forEach(function (row) {
                row.complete = true;
                table.update(row, {
                    success: function () {
                        left = left - 1;
                        if (left === 0) response.send(200, { count: count });
                    }
                });
            });
        },
        error: function (error) { response.send(500, { error: error.message }); }
    });
};
