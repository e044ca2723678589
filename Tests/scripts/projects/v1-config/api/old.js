exports.get = function (req, res) {
    req.service.tables.getTable('todoitem').read({
        success: function (rows) { res.send(200, { count: rows.length }); }
    });
};
