exports.get = function (request, response) { response.send(200, request.user.level); };
exports.post = function (request, response) { response.send(200, request.user.userId); };
exports.put = function (request, response) { response.send(200, 'with the key'); };
exports.delete = function (request, response) { response.send(200, 'master'); };
