// With a project go its tasks.
function del(id, user, request) {
    var tasks = tables.getTable('task');
    tasks.where({ projectId: id }).read({ success: removeAll });

    function removeAll(list) {
        if (list.length === 0) return request.execute();
        tasks.del(list.pop().id, { success: function () { removeAll(list); } });
    }
}
