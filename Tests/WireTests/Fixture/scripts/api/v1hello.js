// The old custom API: a function for each verb.
exports.get = function (request, response) {
    if (request.query.cookies) return response.send(200, request.cookies);
    response.send(statusCodes.OK, { message: 'Hello ' + (request.query.name || 'World') + '!' });
};

exports.post = function (request, response) {
    if (!request.body || !request.body.name) {
        response.send(statusCodes.BAD_REQUEST, { error: 'A name is required' });
        return;
    }
    response.set('X-Made', 'yes');
    response.send(201, { made: request.body.name, by: request.user.userId || request.user.level });
};

exports.delete = function (request, response) {
    response.respond(statusCodes.FORBIDDEN, 'Nothing is deleted here');
};
