exports.all = function (request, response) { response.send(200, request.method); };
