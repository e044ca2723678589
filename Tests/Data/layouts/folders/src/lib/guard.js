module.exports = (req, res, next) => (req.get('X-Guard') ? next() : res.status(403).json({ error: 'guarded' }));
