// Parameters of the request's address decide what is seen, and how.
function read(query, user, request) {
    var asked = request.parameters;
    if (asked.done) query.where({ complete: asked.done === 'true' });
    if (asked.starts) {
        query.where(function (start) {
            return this.text.indexOf(start) === 0;
        }, asked.starts);
    }
    if (asked.newest) query.orderByDescending('position');
    if (asked.few) query.take(parseInt(asked.few, 10));
    if (asked.brief) query.select('id', 'text');
    if (asked.refuse) return request.respond(statusCodes.FORBIDDEN, 'You may not ask for that');
    request.execute();
}
