// What the login said, by callbacks.
function insert(item, user, request) {
    user.getIdentities({
        success: function (identities) {
            item.logins = Object.keys(identities).join(',');
            request.execute();
        },
        error: function (error) { request.respond(500, error); }
    });
}
