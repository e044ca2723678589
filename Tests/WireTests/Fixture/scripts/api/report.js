// Rows counted, grouped and sorted, as a page and as a file.
exports.get = async (req, res) => {
    const rows = await req.azureMobile.tables('apitodo').where({ complete: false }).orderBy('text').read();
    if (req.query.as === 'csv') {
        res.set('Content-Disposition', 'attachment; filename="open.csv"');
        res.type('text/csv').send(rows.map((row) => row.text + ',' + row.priority).join('\n'));
        return;
    }
    if (req.query.as === 'html') {
        res.send('<ul>' + rows.map((row) => '<li>' + row.text + '</li>').join('') + '</ul>');
        return;
    }
    const highest = rows.reduce((most, row) => Math.max(most, row.priority), 0);
    res.json({ open: rows.length, highest, first: rows.length ? rows[0].text : null });
};
