// What is no SQL of old scripts is refused, and nothing is done.
exports.post = (req, res) => {
    req.azureMobile.data.execute({ sql: req.body.sql, parameters: [] })
        .then((rows) => res.json({ rows: rows.length }))
        .catch((error) => res.status(400).json({ refused: error instanceof Error && error.message.length > 0 }));
};
