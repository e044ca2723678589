// A task's project has to be there.
const table = require('azure-mobile-apps').table();
table.columns = { title: 'string', projectId: 'string' };
table.softDelete = true;

table.insert(async (context) => {
    const project = context.item.projectId && await context.tables('project').find(context.item.projectId);
    if (!project) {
        context.res.status(400).json({ error: 'There is no project ' + context.item.projectId });
        return;
    }
    return context.execute();
});

module.exports = table;
