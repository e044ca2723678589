function insert(item, user, request) {
    user.getIdentities({
        success: function (identities) {
            if (identities.facebook) {
                item.provider = 'facebook';
                item.name = identities.facebook.name;
                item.hasToken = !!identities.facebook.accessToken;
            }
            item.level = user.level;
            request.execute();
        },
        error: function (error) { request.respond(error); }
    });
}
