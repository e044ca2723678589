function insert(item, user, request) {
    if (!item.text) return request.respond(statusCodes.BAD_REQUEST, 'text is needed');
    item.owner = user.userId;
    request.execute();
}
