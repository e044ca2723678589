// The file beside says who may.
module.exports = {
    get: function (req, res) { res.status(200).type('text').send('open'); },
    post: function (req, res) { res.status(200).type('text').send('for ' + req.azureMobile.user.id); }
};
