// Repeats what it is asked in a document, as reports of old did; with a policy of its own where it is told one.
exports.get = function (req, res) {
    if (req.query.policy) res.set('Content-Security-Policy', req.query.policy);
    res.type(req.query.type || 'html').send('<p>' + req.query.name + '</p>');
};
