// Conditions as OData, with values and without.
const table = require('azure-mobile-apps').table();
table.columns = { name: 'string', age: 'number' };

table.read((context) => {
    context.query.where('age ge ? and name ne ?', 18, "O'Hara");
    if (context.req.query.ends) context.query.where(`endswith(name,'${context.req.query.ends}')`);
    return context.execute();
});

module.exports = table;
