exports.get = function (req, res) { res.json({ staff: true }); };
