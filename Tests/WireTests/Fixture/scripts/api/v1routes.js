// Paths below the API's name.
exports.register = function (api) {
    api.get('/', function (request, response) { response.send(200, 'list'); });
    api.get('/:id', one);
    api.post('/:id/like', [checked, function (request, response) {
        response.send(200, { liked: request.params.id, times: request.times });
    }]);
    api.delete('*', function (request, response) { response.send(405); });
};

function one(request, response) {
    if (isNaN(Number(request.params.id))) response.send(400, { error: request.params.id + ' is no number' });
    else response.json({ id: Number(request.params.id) });
}

function checked(request, response, next) {
    request.times = Number(request.header('x-times') || 1);
    next();
}
