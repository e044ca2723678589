// The server's columns, asked for by the script.
function read(query, user, request) {
    request.execute({
        systemProperties: ['__createdAt', '__version'],
        success: function (rows) {
            rows.forEach(function (row) {
                row.fresh = row.__createdAt instanceof Date && !row.__updatedAt;
                row.hasVersion = typeof row.__version === 'string';
                delete row.__createdAt;
                delete row.__version;
            });
            request.respond();
        }
    });
}
