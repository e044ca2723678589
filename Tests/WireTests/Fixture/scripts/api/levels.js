// Each verb for somebody else.
var api = {
    get: function (req, res) { res.json({ who: req.azureMobile.user ? req.azureMobile.user.id : null }); },
    post: function (req, res) { res.json({ who: req.azureMobile.user.id }); },
    delete: function (req, res) { res.json({ never: true }); }
};
api.get.access = 'anonymous';
api.post.authorize = true;
api.delete.access = 'disabled';
module.exports = api;
