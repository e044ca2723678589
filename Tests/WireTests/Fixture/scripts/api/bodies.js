// What came in: JSON, a form, text, bytes.
exports.post = function (req, res) {
    var body = req.body;
    if (Buffer.isBuffer(body)) return res.json({ bytes: body.length });
    if (typeof body === 'string') return res.json({ text: body });
    res.json({ type: req.get('content-type') || null, members: Object.keys(body), body: body });
};
