// Two tables joined, grouped and summed.
exports.get = async (req, res) => {
    const rows = await req.azureMobile.data.execute({
        sql: `SELECT s.name, COUNT(*) AS games, SUM(g.points) AS points
              FROM sqlscores AS s INNER JOIN sqlgames AS g ON g.player = s.name
              WHERE g.points >= @least
              GROUP BY s.name ORDER BY s.name`,
        parameters: [{ name: 'least', value: Number(req.query.least || 0) }],
    });
    res.json(rows);
};
