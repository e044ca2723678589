// A module that is only an object.
module.exports = {
    columns: { text: 'string' },
    softDelete: true,
    access: 'anonymous',
    seed: [{ id: 's1', text: 'from the start' }],
    insert: function (context) {
        context.item.text = context.item.text.toUpperCase();
        return context.execute();
    }
};
