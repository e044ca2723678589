// All that is open is done, by one request.
module.exports = {
    post: function (req, res, next) {
        var context = req.azureMobile;
        var table = context.tables('apitodo');
        table.where({ complete: false }).read().then(function (open) {
            return Promise.all(open.map(function (row) {
                row.complete = true;
                return table.update(row);
            }));
        }).then(function (done) {
            res.json({ completed: done.length });
        }).catch(next);
    }
};
