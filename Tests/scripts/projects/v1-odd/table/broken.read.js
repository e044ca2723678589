function read(query, user, request) {
    tables.getTable('other').read({
        success: function (rows) {
            rows[7].text = 'there is no seventh';
        }
    });
}
