// What is wrong is said in several ways.
function insert(item, user, request) {
    if (!item.text || item.text.length === 0) {
        request.respond(statusCodes.BAD_REQUEST, 'A text is required');
    } else if (item.text.length > 10) {
        request.respond(statusCodes.BAD_REQUEST, { error: 'too long', most: 10 });
    } else if (item.text === 'nothing') {
        request.respond(400);
    } else {
        request.execute();
    }
}

function update(item, user, request) {
    if (item.text === 'throw') throw new Error('nobody is to see these words');
    if (item.text === 'gold') return request.respond(402, "not for free");
    request.execute();
}

function del(id, user, request) {
    request.respond(statusCodes.METHOD_NOT_ALLOWED, 'Nothing is deleted here');
}
