function read(query, user, request) {
    request.execute({
        includeDeleted: request.parameters.all === 'yes',
        success: function (results) {
            results.forEach(function (row) { row.shout = row.text.toUpperCase(); });
            if (request.parameters.how === 'first') request.respond(200, results[0]);
            else if (request.parameters.how === 'mapped') request.respond(200, results.map(function (r) { return r; }));
            else request.respond();
        },
        error: function (error) {
            request.respond(error.notFound ? 410 : 500, error.message);
        }
    });
}
