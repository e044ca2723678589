// Which fields came, but for those that every client sends.
exports.get = function (req, res) {
    res.json(Object.keys(req.headers).filter(function (name) { return /^(x-(?!request-id)|client-|disguised-)/.test(name); }).sort());
};
