// What the login said of who asks.
var table = require('azure-mobile-apps').table();
table.columns = { text: 'string', email: 'string', provider: 'string' };
table.access = 'authenticated';

table.insert(function (context) {
    return context.user.getIdentity('facebook').then(function (identity) {
        context.item.email = identity.facebook && identity.facebook.claims.email;
        context.item.provider = context.user.claims.idp || 'unknown';
        return context.execute();
    });
});

module.exports = table;
