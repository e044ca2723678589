function insert(item, user, request) {
    var later = user.getIdentities();
    user.getIdentities(function (err, identities) {
        request.respond(200, { err: err, now: later, then: identities, level: user.level, id: user.userId || null,
            token: user.accessTokens.facebook || null });
    });
}
