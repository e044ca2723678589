function read(query, user, request) {
    request.respond(200, [{ seen: typeof undeclared, total: typeof total, global: typeof globalThis.undeclared }]);
}
