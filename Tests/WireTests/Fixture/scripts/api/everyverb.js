// For users only, whatever the verb.
var api = module.exports = {
    get: function (req, res) {
        req.azureMobile.user.getIdentity('facebook').then(function (identity) {
            res.json({ id: req.azureMobile.user.id, email: identity.facebook ? identity.facebook.claims.email : null });
        });
    }
};
api.access = 'authenticated';
