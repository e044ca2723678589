function broken() {
    tables.getTable('other').read({ success: function (rows) { rows[7].x = 1; } });
}
