exports.get = function (request, response) {
    throw new Error('at once');
};
exports.post = function (request, response) {
    request.service.tables.getTable('other').read({
        success: function (rows) { rows[7].text = 1; }
    });
};
exports.put = function (request, response) {
    request.service.tables.getTable('other').del('missing');
};
