function slow() {
    setTimeout(function () { tables.getTable('other').insert({ text: 'late' }); }, 400);
}
