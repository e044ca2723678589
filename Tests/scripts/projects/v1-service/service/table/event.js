// All of a table's functions in one file, as they are copied out of a portal's windows.
function insert(item, user, request) {
    if (item.starts.getTime() > item.ends.getTime()) {
        request.respond(statusCodes.BAD_REQUEST, { reason: 'It ends before it starts' });
    } else {
        item.minutes = (item.ends - item.starts) / 60000;
        request.execute();
    }
}

function read(query, user, request) {
    query.where(function (day) { return this.starts >= day; }, new Date(Date.UTC(2015, 0, 1)));
    request.execute();
}

function del(id, user, request) {
    request.respond(statusCodes.METHOD_NOT_ALLOWED, 'Events stay');
}
