// What a user may see is a question of two tables: a filter by SQL, and the list by the table.
const table = require('azure-mobile-apps').table();
table.columns = { text: 'string', groupId: 'string' };
table.access = 'authenticated';

table.read(async (context) => {
    const groups = await context.data.execute({
        sql: 'SELECT DISTINCT groupId FROM sqlmembers WHERE userId = @user',
        parameters: [{ name: 'user', value: context.user.id }]
    });
    const ids = groups.map((row) => row.groupId);
    context.query.where(function (ids) { return ids.indexOf(this.groupId) >= 0; }, ids);
    return context.execute();
});

module.exports = table;
