exports.get = function (request, response) {
    var how = request.query.how;
    if (how === 'first') response.send(203, { how: how });
    else if (how === 'last') response.send({ how: how }, 203);
    else if (how === 'text') response.send(request.query.status, { how: how });
    else if (how === 'user') response.send(200, JSON.parse(JSON.stringify(request.user)));
    else response.send('only a body');
    response.end();
};
