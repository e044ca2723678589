module.exports = { all: (req, res) => res.json({ verb: req.method }), delete: Object.assign((req, res) => res.end(), { access: 'disabled' }) };
