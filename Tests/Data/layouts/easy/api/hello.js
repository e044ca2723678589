module.exports = {
    get: function (req, res, next) { res.status(200).json({ hello: req.azureMobile.user ? req.azureMobile.user.id : null }); },
    post: function (req, res, next) { next(new Error('no luck today')); },
    patch: function (req, res, next) { throw Object.assign(new Error('not like that'), { badRequest: true }); },
    delete: function (req, res, next) { res.json({ gone: true }); }
};
