// Only the owner deletes a row and brings it back, by a condition.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', userId: 'string' };
table.softDelete = true;
table.access = 'authenticated';

const own = (context) => {
    context.query.where({ userId: context.user.id });
    return table.execute(context);
};
table.insert((context) => {
    context.item.userId = context.user.id;
    return context.execute();
});
table.delete(own);
table.undelete(own);

module.exports = table;
