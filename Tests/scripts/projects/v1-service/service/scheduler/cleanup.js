// What has been done for a month is thrown away.
function cleanup() {
    var todos = tables.getTable('todoitem');
    var old = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000);
    todos.where(function (day) { return this.complete === true && this.createdAt < day; }, old).read({
        success: function (list) {
            console.log('to remove: ' + list.length);
            list.forEach(function (item) { todos.del(item.id); });
        }
    });
}
