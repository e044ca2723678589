// All that is open is done, by one statement, and counted.
module.exports = {
    post: function (req, res, next) {
        var query = {
            sql: 'UPDATE apitodo SET complete = @done WHERE complete = 0; SELECT @@ROWCOUNT AS count',
            parameters: [{ name: 'done', value: 1 }]
        };
        req.azureMobile.data.execute(query).then(function (results) { res.json(results); }).catch(next);
    }
};
