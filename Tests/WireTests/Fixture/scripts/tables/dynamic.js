// No columns are told: they come with the rows.
const table = require('azure-mobile-apps').table();
table.dynamicSchema = true;
table.insert((context) => {
    context.item.serial = 7;
    context.item.checked = true;
    return context.execute();
});
module.exports = table;
