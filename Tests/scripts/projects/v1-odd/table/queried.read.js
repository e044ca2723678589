function read(query, user, request) {
    if (query.getComponents().take > 100) query.take(100);
    query.where('(a eq ?) and (text eq ?) or (a eq 3)', 2, "it's").orderBy('d');
    request.respond(statusCodes.OK, [query.getComponents()]);
}
