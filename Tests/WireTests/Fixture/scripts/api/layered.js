// Several functions before the one that answers.
function key(req, res, next) {
    if (req.query.key === 'open') return next();
    const error = new Error('Which key?');
    error.status = 403;
    next(error);
}
function stamped(req, res, next) {
    res.set('X-Layer', 'two');
    req.layer = (req.layer || 0) + 1;
    next();
}
module.exports = {
    get: [key, stamped, stamped, (req, res) => res.json({ layer: req.layer })],
    post: [key, (req, res, next) => Promise.reject(new Error('later'))]
};
