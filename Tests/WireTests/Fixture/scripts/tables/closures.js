// Conditions that can't be read are errors of the script, and no rows are shown.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string' };

table.read((context) => {
    const wanted = context.req.query.text;
    if (context.req.query.arrow) context.query.where((row) => row.text === wanted);
    else context.query.where(function () { return this.text === wanted; });
    return context.execute();
});

module.exports = table;
