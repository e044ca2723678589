// Elsewhere, nothing new, and gone.
exports.get = function (req, res) {
    switch (req.query.to) {
        case 'page': return res.redirect('https://example.com/page');
        case 'old': return res.redirect(301, '/api/verbs');
        case 'same': return res.status(304).end();
        case 'bytes': return res.status(200).send(Buffer.from('raw'));
        case 'array': return res.json([1, 'two', null, { three: 3.5 }]);
        default: return res.status(410).end();
    }
};
