var texts = require('../shared/texts');
var count = 0;

exports.get = function (request, response) {
    count += 1;
    response.set('X-Count', String(count));
    response.send(statusCodes.OK, texts.greet(request.query.name || 'you'));
};

exports.post = function (request, response) {
    response.json({ text: texts.greet(request.body.name), agent: request.header('User-Agent') });
};

exports.put = function (request, response) {
    request.respond(202, { path: request.path, level: request.user.level });
};

exports.del = function (request, response) {
    response.status(204).end();
};
