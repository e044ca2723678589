function read(query, user, request) {
    if (request.parameters.own) {
        query.select(function () { return { word: this.text }; });
        return request.execute();
    }
    var listed = tables.getTable('listed');
    listed.where(function (no) { return this.text !== no; }, request.parameters.not)
        .select(function () { return this.id; })
        .read({
            success: function (ids) {
                listed.where(function (words, rows) { return this.text in words && this.id in rows; },
                    ['tea', 'milk'], ids.map(function (id) { return { id: id }; }))
                    .select(function () { return this.text.toUpperCase(); })
                    .read({ success: function (words) { request.respond(200, words); } });
            }
        });
}
