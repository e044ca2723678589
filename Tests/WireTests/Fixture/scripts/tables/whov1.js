// Who asks: level, id and what the login said.
function insert(item, user, request) {
    item.level = user.level;
    item.asker = user.userId || 'nobody';
    var provider = null;
    var identities = user.getIdentities();
    if (identities && identities.facebook) provider = 'facebook ' + identities.facebook.userId;
    item.provider = provider;
    request.execute();
}
