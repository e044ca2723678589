// With a project go its tasks, and they come back with it.
var table = require('azure-mobile-apps').table();
table.columns = { name: 'string' };
table.softDelete = true;

table.delete(function (context) {
    var tasks = context.tables('projecttask');
    return tasks.where({ projectId: context.id }).read().then(function (found) {
        return Promise.all(found.map(function (task) { return tasks.delete(task.id); }));
    }).then(function () {
        return context.execute();
    });
});

table.undelete(function (context) {
    var tasks = context.tables('projecttask');
    return context.execute().then(function (row) {
        return tasks.where({ projectId: context.id }).includeDeleted().read()
            .then(function (found) {
                return Promise.all(found.filter(function (task) { return task.deleted; }).map(function (task) {
                    return tasks.undelete(task.id);
                }));
            })
            .then(function () { return row; });
    });
});

module.exports = table;
