exports.get = function (request, response) { response.send(200, { id: request.user.userId || null }); };
exports.post = function (request, response) { response.send(statusCodes.CONFLICT, { error: 'taken' }); };
